// Adds or changes a widget. Problems that the API reports are shown at their fields.

import { useState } from 'react';
import { RequestError, explain } from '../../api/request-error.js';
import { useIsHere } from '../../app/use-is-here.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Checkbox, Select, TextField } from '../../parts/field.js';
import { notifyFailure } from '../../parts/notices.js';
import styles from './dashboards.module.css';
import { FilterFields } from './filter-fields.js';
import type { WidgetPlan } from './marks.js';
import {
  bucketNames,
  canGroup,
  dimensionNames,
  isOfNow,
  maxGroups,
  maxTableMetrics,
  metricNames,
  widgetTypes,
} from './metric-rules.js';
import type { Bucket, Dimension, Metric, WidgetType } from './operations.js';
import { dashboardTexts } from './texts.js';
import { isStale, type Save } from './use-dashboard.js';
import {
  draftOf,
  inputOf,
  inputOfPlan,
  metricsOf,
  problemsOf,
  type DraftField,
  type WidgetDraft,
} from './widget-input.js';
import { widgetTexts } from './widget-texts.js';

interface WidgetDialogProps {
  /** Undefined for a new widget. */
  plan?: WidgetPlan | undefined;
  save: Save;
  onClose: () => void;
}

export function WidgetDialog({ plan, save, onClose }: WidgetDialogProps) {
  const texts = useTexts(dashboardTexts);
  const [draft, setDraft] = useState(() => draftOf(plan));
  const [problems, setProblems] = useState<Partial<Record<DraftField, string>>>({});
  const [isBusy, setIsBusy] = useState(false);
  const isHere = useIsHere();
  const submit = async () => {
    setIsBusy(true);
    setProblems({});
    let place = 0;
    try {
      await save(({ widgets }) => {
        const found = widgets.findIndex(({ id }) => id === plan?.id);
        place = found < 0 ? widgets.length : found;
        const others = widgets.map(inputOfPlan);
        return { widgets: others.toSpliced(place, 1, inputOf(draft, plan?.id)) };
      });
      if (isHere()) onClose();
    } catch (error) {
      if (!isHere()) return notifyFailure(error);
      const fields = error instanceof RequestError ? problemsOf(error.fields, place) : {};
      const isKnown = !isStale(error) && Object.keys(fields).length > 0;
      setProblems(isKnown ? fields : { form: isStale(error) ? texts.stale : explain(error) });
      setIsBusy(false);
    }
  };
  return (
    <Dialog isOpen onClose={onClose} title={plan === undefined ? texts.addWidget : texts.editWidget(plan.title)}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <WidgetFields draft={draft} problems={problems} onChange={(change) => setDraft({ ...draft, ...change })} />
        {problems.form !== undefined && (
          <p role="alert" className={styles.problem}>
            {problems.form}
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

interface FieldsProps {
  draft: WidgetDraft;
  problems: Partial<Record<DraftField, string>>;
  onChange: (change: Partial<WidgetDraft>) => void;
}

function WidgetFields({ draft, problems, onChange }: FieldsProps) {
  const texts = useTexts(widgetTexts);
  const { type, title, metric, dimension, bucket, limit, filter } = draft;
  const metrics = metricsOf(draft);
  const isGrouped = type === 'BREAKDOWN' || type === 'TABLE';
  return (
    <>
      <TextField
        label={texts.widgetTitle}
        value={title}
        maxLength={100}
        error={problems.title}
        onChange={({ target }) => onChange({ title: target.value })}
      />
      <Select
        label={texts.type}
        value={type}
        error={problems.type}
        options={widgetTypes.map((value) => ({ value, label: texts[value] }))}
        onChoose={(chosen) => onChange({ type: chosen as WidgetType })}
      />
      {type === 'TABLE' ? (
        <MetricBoxes draft={draft} problem={problems.metrics} onChange={onChange} />
      ) : (
        <Select
          label={texts.metric}
          value={metric}
          error={problems.metric}
          options={metricNames.map((value) => ({
            value,
            label: texts[value],
            isDisabled: type === 'SERIES' && isOfNow(value),
          }))}
          onChoose={(chosen) => onChange({ metric: chosen as Metric })}
        />
      )}
      {isGrouped && (
        <Select
          label={texts.dimension}
          value={dimension}
          error={problems.dimension}
          options={dimensionNames.map((value) => ({
            value,
            label: texts[value],
            isDisabled: !metrics.every((one) => canGroup(one, value)),
          }))}
          onChoose={(chosen) => onChange({ dimension: chosen as Dimension })}
        />
      )}
      {isGrouped && (
        <TextField
          label={texts.limit}
          type="number"
          min={1}
          max={maxGroups}
          value={limit}
          error={problems.limit}
          onChange={({ target }) => onChange({ limit: target.value })}
        />
      )}
      {type === 'SERIES' && (
        <Select
          label={texts.bucket}
          value={bucket}
          error={problems.bucket}
          options={bucketNames.map((value) => ({ value, label: texts[value] }))}
          onChoose={(chosen) => onChange({ bucket: chosen as Bucket })}
        />
      )}
      <FilterFields
        filter={filter}
        metrics={metrics}
        problems={problems}
        onChange={(changed) => onChange({ filter: changed })}
      />
    </>
  );
}

function MetricBoxes({ draft, problem, onChange }: Omit<FieldsProps, 'problems'> & { problem: string | undefined }) {
  const texts = useTexts(widgetTexts);
  const { metrics } = draft;
  return (
    <fieldset className={styles.filter}>
      <legend>{texts.metrics}</legend>
      <small className={styles.quiet}>{texts.metricsHint}</small>
      <div className={styles.choices}>
        {metricNames.map((name) => (
          <Checkbox
            key={name}
            label={texts[name]}
            checked={metrics.includes(name)}
            disabled={!metrics.includes(name) && metrics.length >= maxTableMetrics}
            onChange={({ target }) =>
              onChange({ metrics: target.checked ? [...metrics, name] : metrics.filter((one) => one !== name) })
            }
          />
        ))}
      </div>
      {problem !== undefined && (
        <small role="alert" className={styles.problem}>
          {problem}
        </small>
      )}
    </fieldset>
  );
}
