// A field for a day and time in the user's zone. The address and the API use ISO 8601 in UTC.

import { toIso, toLocalTime } from '../i18n/local-time.js';
import { TextField } from './field.js';

interface TimeFieldProps {
  label: string;
  value: string | undefined;
  onChange: (iso: string | undefined) => void;
}

export function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <TextField
      label={label}
      type="datetime-local"
      value={toLocalTime(value)}
      onChange={({ target }) => onChange(toIso(target.value))}
    />
  );
}
