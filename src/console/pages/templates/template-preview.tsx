// A live preview of the text, for one of the newest leads and with example values. Nothing is stored or sent.

import { useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Select, TextField } from '../../parts/field.js';
import { Table } from '../../parts/table.js';
import { missingOf, parseTemplate, renderParts, type TemplateVariable } from '../../parts/template-text.js';
import { TemplateSamplesDocument } from './operations.js';
import styles from './templates.module.css';
import { templateTexts } from './texts.js';

export function TemplatePreview({ body }: { body: string }) {
  const texts = useTexts(templateTexts);
  const formats = useFormats();
  const { data } = useLoaded('samples', () => askAgain(TemplateSamplesDocument));
  const [values, setValues] = useState<Record<string, string>>({});
  const [leadId, setLeadId] = useState('');
  const leads = data?.leads.edges.map(({ node }) => node) ?? [];
  const lead = leads.find(({ id }) => id === leadId) ?? leads[0];
  const parsed = parseTemplate(body);
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  if ('problem' in parsed) return null;
  const asked = parsed.variables.filter(({ isLeadField }) => !isLeadField);
  const missing = missingOf(parsed, given, lead);
  return (
    <section className={styles.card} aria-label={texts.preview}>
      <h2>{texts.preview}</h2>
      <p className={styles.bubble} dir="auto">
        {body === '' ? texts.nothingYet : ''}
        {renderParts(parsed, given, lead).map((part, index) =>
          'missing' in part ? (
            <mark key={index} className={styles.missing}>{`{{${part.missing}}}`}</mark>
          ) : part.isValue ? (
            <span key={index} className={styles.value}>
              {part.text}
            </span>
          ) : (
            part.text
          ),
        )}
      </p>
      <p role="status" className={missing.length > 0 ? styles.warning : styles.quiet}>
        {missing.length > 0 ? texts.missing(formats.list(missing)) : body === '' ? '' : texts.complete}
      </p>
      {leads.length > 0 && (
        <Select
          label={texts.asFor}
          value={lead?.id ?? ''}
          options={leads.map(({ id, name }) => ({ value: id, label: name }))}
          onChoose={setLeadId}
        />
      )}
      {asked.map(({ name, default: usual }) => (
        <TextField
          key={name}
          label={name}
          value={values[name] ?? ''}
          maxLength={1_000}
          dir="auto"
          placeholder={usual ?? ''}
          onChange={({ target }) => setValues({ ...values, [name]: target.value })}
        />
      ))}
      {parsed.variables.length > 0 && <Variables variables={parsed.variables} />}
    </section>
  );
}

function Variables({ variables }: { variables: readonly TemplateVariable[] }) {
  const texts = useTexts(templateTexts);
  return (
    <Table
      label={texts.variables}
      columns={[{ name: texts.variable }, { name: texts.comesFrom }, { name: texts.default }]}
    >
      {variables.map(({ name, isLeadField, default: usual }) => (
        <tr key={name}>
          <td>
            <code>{name}</code>
          </td>
          <td>{isLeadField ? texts.theLead : texts.theSender}</td>
          <td dir="auto">{usual === null ? texts.required : usual === '' ? texts.nothingAtAll : usual}</td>
        </tr>
      ))}
    </Table>
  );
}
