// The lead's editable details: name, tags, source and custom fields. The buttons that save them stand in the save bar.

import { useRef, type Dispatch, type SetStateAction } from 'react';
import { ask } from '../../api/client.js';
import { isSaidAtField, useAction } from '../../api/use-action.js';
import { useCommands } from '../../app/commands.js';
import { useTexts } from '../../i18n/language.js';
import { Button, IconButton } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { notify } from '../../parts/notices.js';
import { TagChips } from '../../parts/tag-chips.js';
import styles from './lead.module.css';
import { ChangeLeadDocument, type WholeLeadFragment } from './operations.js';
import { leadTexts } from './texts.js';

interface Draft {
  name: string;
  tags: readonly string[];
  /** The tag that is being written. It is saved with the others. */
  tag: string;
  source: string;
  fields: { name: string; value: string }[];
}

function draftOf({ name, tags, source, customFields }: WholeLeadFragment): Draft {
  const fields = Object.entries(customFields).map(([field, value]) => ({ name: field, value: String(value) }));
  return { name, tags, tag: '', source, fields };
}

/** An edit of a lead's data. It is compared with the lead as it was when the edit began: others may have changed it since. */
export interface DetailsEdit {
  draft: Draft;
  base: WholeLeadFragment;
}

export type Details = ReturnType<typeof useDetails>;

export interface DetailsOptions {
  lead: WholeLeadFragment;
  edit: DetailsEdit | undefined;
  setEdit: Dispatch<SetStateAction<DetailsEdit | undefined>>;
  onChange: (lead: WholeLeadFragment) => void;
}

/** Shows and saves what is written over the lead's data. */
export function useDetails({ lead, edit, setEdit, onChange }: DetailsOptions) {
  const texts = useTexts(leadTexts);
  // The form shows changes by others until the user writes something.
  const shown = edit?.draft ?? draftOf(lead);
  const input = inputOf(shown, edit?.base ?? lead);
  const action = useAction(
    async () => {
      const { updateLead } = await ask(ChangeLeadDocument, { id: lead.id, input });
      onChange(updateLead);
      // A change that was written meanwhile stays.
      setEdit((now) => (now === edit ? undefined : now));
      notify(texts.saved);
    },
    { isForm: true },
  );
  return {
    ...action,
    shown,
    changes: namesOf(input, texts),
    change: (part: Partial<Draft>) => setEdit({ draft: { ...shown, ...part }, base: edit?.base ?? lead }),
    discard: () => {
      setEdit(undefined);
      action.clear();
    },
  };
}

/** Names the changed values, each custom field by itself. */
function namesOf(
  { name, source, addTags, removeTags, customFields = {} }: ReturnType<typeof inputOf>,
  texts: { name: string; source: string; tags: string },
): string[] {
  return [
    ...(name === undefined ? [] : [texts.name]),
    ...(addTags === undefined && removeTags === undefined ? [] : [texts.tags]),
    ...(source === undefined ? [] : [texts.source]),
    ...Object.keys(customFields),
  ];
}

/** @param id the form's, for buttons outside of it */
export function DetailsForm({ id, details }: { id: string; details: Details }) {
  const texts = useTexts(leadTexts);
  const { shown, change, error, start, problemOf } = details;
  const ownName = useRef<HTMLInputElement>(null);
  const nextTag = useRef<HTMLInputElement>(null);
  // For the Tab key the fields stand behind the line of time, which has a stop for each message.
  useCommands([
    { id: 'name', title: texts.name, group: texts.lead, run: () => ownName.current?.select() },
    { id: 'tag', title: texts.tags, group: texts.lead, run: () => nextTag.current?.focus() },
  ]);
  const changeField = (index: number, part: Partial<Draft['fields'][number]>) =>
    change({ fields: shown.fields.map((field, place) => (place === index ? { ...field, ...part } : field)) });
  return (
    <section className={styles.card} aria-label={texts.details}>
      <h2>{texts.details}</h2>
      <form id={id} className={styles.form} action={() => void start()}>
        <TextField
          ref={ownName}
          label={texts.name}
          value={shown.name}
          maxLength={200}
          dir="auto"
          error={problemOf('name')}
          onChange={({ target }) => change({ name: target.value })}
        />
        <TextField
          label={texts.source}
          value={shown.source}
          maxLength={100}
          error={problemOf('source')}
          onChange={({ target }) => change({ source: target.value })}
        />
        <fieldset className={styles.fields}>
          <legend>{texts.tags}</legend>
          <TagChips
            ref={nextTag}
            aria-label={texts.tags}
            tags={shown.tags}
            value={shown.tag}
            onTakeAway={(tag) => change({ tags: shown.tags.filter((one) => one !== tag) })}
            onWrite={(written) => {
              const tags = tagsIn(written);
              if (!written.includes(',')) change({ tag: written });
              else change({ tags: [...shown.tags, ...tags.filter((tag) => !shown.tags.includes(tag))], tag: '' });
            }}
          />
          <FormError error={problemOf('tags') ?? problemOf('addTags')} />
        </fieldset>
        <fieldset className={styles.fields}>
          <legend>{texts.fields}</legend>
          {shown.fields.map(({ name, value }, index) => (
            <div key={index} className={styles.fieldRow}>
              <TextField
                label={texts.fieldName}
                isLabelHidden
                placeholder={texts.fieldName}
                value={name}
                maxLength={64}
                onChange={({ target }) => changeField(index, { name: target.value })}
              />
              <TextField
                label={name === '' ? texts.fieldValue : name}
                isLabelHidden
                placeholder={texts.fieldValue}
                value={value}
                maxLength={1000}
                dir="auto"
                onChange={({ target }) => changeField(index, { value: target.value })}
              />
              <IconButton
                icon="trash"
                label={texts.removeField(name)}
                onClick={() => change({ fields: shown.fields.filter((_, place) => place !== index) })}
              />
            </div>
          ))}
          <FormError error={problemOf('customFields')} />
          <Button isFlush icon="plus" onClick={() => change({ fields: [...shown.fields, { name: '', value: '' }] })}>
            {texts.addField}
          </Button>
        </fieldset>
        <FormError error={isSaidAtField(error) ? undefined : error} />
      </form>
    </section>
  );
}

/** Returns only the changed values, so that a colleague's changes to other fields stay. */
function inputOf({ name, tags, tag, source, fields }: Draft, lead: WholeLeadFragment) {
  const before = lead.customFields;
  const named = Object.fromEntries(
    fields.filter((field) => field.name !== '').map((field) => [field.name, field.value]),
  );
  const removed = Object.keys(before).filter((field) => !(field in named));
  const changed = Object.entries(named).filter(
    ([field, value]) => String(before[field]) !== value || !(field in before),
  );
  const customFields = {
    ...Object.fromEntries(removed.map((field) => [field, null])),
    ...Object.fromEntries(changed.map(([field, value]) => [field, asBefore(before[field], value)])),
  };
  const wanted = [...new Set([...tags, ...tagsIn(tag)])];
  const addTags = wanted.filter((one) => !lead.tags.includes(one));
  const removeTags = lead.tags.filter((one) => !wanted.includes(one));
  return {
    ...(name !== lead.name && { name }),
    ...(source !== lead.source && { source }),
    ...(addTags.length > 0 && { addTags }),
    ...(removeTags.length > 0 && { removeTags }),
    ...(Object.keys(customFields).length > 0 && { customFields }),
  };
}

/** Returns the tags of a text that has commas between them. */
const tagsIn = (written: string): string[] =>
  written
    .split(',')
    .map((tag) => tag.trim().toLowerCase())
    .filter(Boolean);

/** A number stays a number and a boolean stays a boolean, as long as the text allows it. */
function asBefore(before: unknown, value: string): unknown {
  if (typeof before === 'number' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  if (typeof before === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
