// The fields for range and time zone. They serve a single reading in the address, and the dashboard itself.

import { useMemo } from 'react';
import { useTexts } from '../../i18n/language.js';
import { Select, TextField } from '../../parts/field.js';
import { rangeTexts } from '../../parts/range-texts.js';
import { isDay, ownZone, rangeNames, type RangeName } from './reading.js';
import { dashboardTexts } from './texts.js';

export interface RangeChoice {
  /** A preset's name, `custom`, or an empty text. */
  range: string;
  since: string;
  until: string;
  zone: string;
}

interface RangeFieldsProps {
  choice: RangeChoice;
  onChange: (change: Partial<RangeChoice>) => void;
  /** The dashboard's own range and zone, which an empty choice stands for. */
  stored?: { range: string; zone: string };
  problems?: Readonly<Record<string, string>>;
}

export function RangeFields({ choice, onChange, stored, problems = {} }: RangeFieldsProps) {
  const texts = useTexts(dashboardTexts);
  const ranges = useTexts(rangeTexts);
  const zones = useZones(choice.zone);
  const names = Object.keys(rangeNames) as RangeName[];
  const isWrong = !isDay(choice.since) || !isDay(choice.until) || choice.since > choice.until;
  return (
    <>
      <Select
        label={texts.range}
        value={choice.range}
        error={problems['range']}
        options={[
          ...(stored === undefined ? [] : [{ value: '', label: texts.asStored(stored.range) }]),
          ...names.map((name) => ({ value: name, label: ranges[rangeNames[name]] })),
          { value: 'custom', label: texts.custom },
        ]}
        onChoose={(range) => onChange({ range })}
      />
      {choice.range === 'custom' && (
        <>
          <TextField
            label={texts.since}
            type="date"
            value={choice.since}
            error={isWrong ? texts.wrongDays : undefined}
            onChange={({ target }) => onChange({ since: target.value })}
          />
          <TextField
            label={texts.until}
            type="date"
            value={choice.until}
            onChange={({ target }) => onChange({ until: target.value })}
          />
        </>
      )}
      <Select
        label={texts.zone}
        value={choice.zone}
        error={problems['timeZone']}
        options={[
          ...(stored === undefined ? [] : [{ value: '', label: texts.asStored(stored.zone) }]),
          ...zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
        ]}
        onChoose={(zone) => onChange({ zone })}
      />
    </>
  );
}

/** Returns the selectable time zones: the user's own comes first, and the chosen zone is always included. */
function useZones(chosen: string): readonly string[] {
  return useMemo(() => {
    const own = ownZone();
    const known = ['UTC', ...Intl.supportedValuesOf('timeZone')];
    return [...new Set([own, ...(chosen === '' ? [] : [chosen]), ...known])];
  }, [chosen]);
}
