// The filter of a widget: sources by name, ads by id, and people, instances and templates by choice.

import { askAgain } from '../../api/client.js';
import { useColleagues } from '../../api/use-colleagues.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { Checkbox, TextArea } from '../../parts/field.js';
import { nameOf } from '../../parts/name-of.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import styles from './dashboards.module.css';
import { canFilter, filterFields, type FilterField } from './metric-rules.js';
import { FilterChoicesDocument, type Metric } from './operations.js';
import type { DraftField, WidgetDraft } from './widget-input.js';
import { widgetTexts } from './widget-texts.js';

interface FilterProps {
  filter: WidgetDraft['filter'];
  metrics: readonly Metric[];
  problems: Partial<Record<DraftField, string>>;
  onChange: (filter: WidgetDraft['filter']) => void;
}

type Choices = readonly { id: string; label: string }[];

export function FilterFields({ filter, metrics, problems, onChange }: FilterProps) {
  const texts = useTexts(widgetTexts);
  const { data, error, reload } = useLoaded('filter-choices', readChoices);
  const colleagues = useColleagues();
  // The list contains at least the user, so an empty list is not read yet.
  const people = colleagues.length === 0 ? undefined : colleagues.map((user) => ({ id: user.id, label: nameOf(user) }));
  const choices = { ...data, assigneeIds: people, authorIds: people };
  return (
    <fieldset className={styles.filter}>
      <legend>{texts.filter}</legend>
      <small className={styles.quiet}>{texts.filterHint}</small>
      {error !== undefined && data === undefined && <LoadFailed error={error} onRetry={reload} />}
      {filterFields.map((field) => (
        <details key={field} open={problems[field] !== undefined || undefined}>
          <summary>
            {texts[field]} {filter[field].length > 0 && <small>({texts.chosen(filter[field].length)})</small>}
          </summary>
          {canFilter(metrics, field) || filter[field].length > 0 ? (
            <Values
              field={field}
              chosen={filter[field]}
              choices={field === 'sources' || field === 'adIds' ? undefined : choices[field]}
              problem={problems[field]}
              onChange={(values) => onChange({ ...filter, [field]: values })}
            />
          ) : (
            <p className={styles.quiet}>{texts.noFilter}</p>
          )}
        </details>
      ))}
    </fieldset>
  );
}

interface ValuesProps {
  field: FilterField;
  chosen: readonly string[];
  choices: Choices | undefined;
  problem: string | undefined;
  onChange: (chosen: readonly string[]) => void;
}

function Values({ field, chosen, choices, problem, onChange }: ValuesProps) {
  const texts = useTexts(widgetTexts);
  if (field === 'sources' || field === 'adIds')
    return (
      <TextArea
        label={texts[field]}
        isLabelHidden
        rows={3}
        hint={field === 'adIds' ? texts.adIdsHint : texts.sourcesHint}
        error={problem}
        defaultValue={chosen.join('\n')}
        onChange={({ target }) => onChange(target.value.split('\n').filter(Boolean))}
      />
    );
  if (choices === undefined) return <Loading />;
  return (
    <>
      <Chooser choices={withUnknown(choices, chosen)} chosen={chosen} onChange={onChange} />
      {problem !== undefined && (
        <small role="alert" className={styles.problem}>
          {problem}
        </small>
      )}
    </>
  );
}

interface ChooserProps {
  choices: Choices;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

function Chooser({ choices, chosen, onChange }: ChooserProps) {
  const texts = useTexts(widgetTexts);
  if (choices.length === 0) return <p className={styles.quiet}>{texts.noChoices}</p>;
  return (
    <div className={styles.choices}>
      {choices.map(({ id, label }) => (
        <Checkbox
          key={id}
          label={label}
          checked={chosen.includes(id)}
          onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </div>
  );
}

// Adds chosen ids that no longer exist, so that the user can remove them.
const withUnknown = (choices: Choices, chosen: readonly string[]): Choices => [
  ...choices,
  ...chosen.filter((id) => choices.every((choice) => choice.id !== id)).map((id) => ({ id, label: id })),
];

async function readChoices(): Promise<Record<'instanceIds' | 'templateIds', Choices>> {
  const { chatInstances, templates } = await askAgain(FilterChoicesDocument);
  return {
    instanceIds: chatInstances.map(({ id, instanceName }) => ({ id, label: instanceName })),
    templateIds: templates.edges.map(({ node }) => ({ id: node.id, label: node.name })),
  };
}
