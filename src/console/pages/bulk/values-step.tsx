// The values of the variables: one text for all, or a column of the file. A channel template may also take the lead's name.

import { useTexts } from '../../i18n/language.js';
import { Select, TextField } from '../../parts/field.js';
import styles from './bulk.module.css';
import type { Content, ValueSource } from './send-plan.js';
import { formTexts } from './form-texts.js';

interface ValuesProps {
  content: Content | undefined;
  names: readonly string[];
  columns: readonly string[];
  sources: Readonly<Record<string, ValueSource>>;
  onChange: (sources: Record<string, ValueSource>) => void;
}

const keyOf = (source: ValueSource): string =>
  source.from === 'text' ? 'text' : source.from === 'column' ? `column ${source.column}` : `lead ${source.field}`;

export function ValuesStep({ content, names, columns, sources, onChange }: ValuesProps) {
  const texts = useTexts(formTexts);
  const isChannel = content !== undefined && 'paths' in content;
  const usual = (name: string) =>
    content !== undefined && 'template' in content
      ? content.template.variables.find((variable) => variable.name === name)?.default
      : null;
  const options = [
    { value: 'text', label: texts.oneForAll },
    ...columns.map((column) => ({ value: `column ${column}`, label: texts.column(column) })),
    ...(isChannel
      ? [
          { value: 'lead firstName', label: texts.firstName },
          { value: 'lead name', label: texts.name },
        ]
      : []),
  ];
  const choose = (name: string, key: string) => {
    const [from = '', ...rest] = key.split(' ');
    const value = rest.join(' ');
    const source: ValueSource =
      from === 'column'
        ? { from, column: value }
        : from === 'lead'
          ? { from, field: value === 'name' ? 'name' : 'firstName' }
          : { from: 'text', text: '' };
    onChange({ ...sources, [name]: source });
  };
  return (
    <div className={styles.stack}>
      {names.map((name) => {
        const source = sources[name] ?? { from: 'text', text: '' };
        const fallback = usual(name);
        return (
          <div key={name} className={styles.value}>
            <span aria-hidden dir="auto">
              {name}
            </span>
            <Select
              isLabelHidden
              label={texts.valueOf(name)}
              value={keyOf(source)}
              options={options}
              onChoose={(key) => choose(name, key)}
            />
            {source.from === 'text' && (
              <TextField
                isLabelHidden
                label={texts.value(name)}
                value={source.text}
                maxLength={1_000}
                dir="auto"
                hint={fallback == null ? texts.needed : texts.usually(fallback)}
                onChange={({ target }) => onChange({ ...sources, [name]: { from: 'text', text: target.value } })}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}
