// The settings of a dashboard for all users: name, range and time zone.

import { useState } from 'react';
import { RequestError, explain } from '../../api/request-error.js';
import { useIsHere } from '../../app/use-is-here.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { notifyFailure } from '../../parts/notices.js';
import styles from './dashboards.module.css';
import type { DashboardPlanFragment } from './operations.js';
import { RangeFields, type RangeChoice } from './range-fields.js';
import { dayOf, isZone, rangeNames, readingOf } from './reading.js';
import { dashboardTexts } from './texts.js';
import { isStale, type Save } from './use-dashboard.js';

interface SettingsProps {
  stored: DashboardPlanFragment;
  save: Save;
  onClose: () => void;
}

export function SettingsDialog({ stored, save, onClose }: SettingsProps) {
  const texts = useTexts(dashboardTexts);
  const [name, setName] = useState(stored.name);
  const [choice, setChoice] = useState(() => choiceOf(stored));
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [isBusy, setIsBusy] = useState(false);
  const reading = readingOf(choice, choice.zone);
  const isHere = useIsHere();
  const submit = async () => {
    if (reading?.range === undefined) return;
    const { range } = reading;
    setIsBusy(true);
    setProblems({});
    try {
      await save(() => ({ name, range, timeZone: choice.zone }));
      if (isHere()) onClose();
    } catch (error) {
      if (!isHere()) return notifyFailure(error);
      setProblems(isStale(error) ? { form: texts.stale } : problemsOf(error, stored, texts.tooManyPoints));
      setIsBusy(false);
    }
  };
  return (
    <Dialog isOpen onClose={onClose} title={texts.settings}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className={styles.quiet}>{texts.settingsHint}</p>
        <TextField
          label={texts.name}
          value={name}
          maxLength={100}
          error={problems['name']}
          onChange={({ target }) => setName(target.value)}
        />
        <RangeFields
          choice={choice}
          problems={problems}
          onChange={(change) => setChoice((now) => ({ ...now, ...change }))}
        />
        {problems['form'] !== undefined && (
          <p role="alert" className={styles.problem}>
            {problems['form']}
          </p>
        )}
        <div className={styles.formActions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function choiceOf({ range, timeZone }: DashboardPlanFragment): RangeChoice {
  const name = Object.entries(rangeNames).find(([, preset]) => preset === range.preset)?.[0];
  const zone = isZone(timeZone) ? timeZone : 'UTC';
  return {
    range: name ?? 'custom',
    since: dayOf(Date.parse(range.from), zone),
    until: dayOf(Date.parse(range.to) - 1, zone),
    zone: timeZone,
  };
}

// A range that is too long for a series is reported with the series' title.
function problemsOf(error: unknown, { widgets }: DashboardPlanFragment, tooLong: string): Record<string, string> {
  const fields = error instanceof RequestError ? error.fields : [];
  const found: Record<string, string> = {};
  for (const { path, message } of fields) {
    const [first = '', place] = path.replace(/^input\./, '').split('.');
    if (first === 'widgets') found['range'] = `${widgets[Number(place)]?.title ?? ''}: ${tooLong}`;
    else if (first === 'name' || first === 'timeZone' || first === 'range') found[first] = message;
  }
  return Object.keys(found).length > 0 ? found : { form: explain(error) };
}
