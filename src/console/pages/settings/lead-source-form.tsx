// Adds or changes a lead source. Secrets are never shown again, and an empty field keeps the stored secret.

import { useId, useState, type FormEvent } from 'react';
import { ask } from '../../api/client.js';
import { useAction, type Action } from '../../api/use-action.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Checkbox, Select, TextArea, TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { partTexts } from '../../parts/part-texts.js';
import {
  fieldsOfSource,
  hmacAlgorithms,
  hmacEncodings,
  hmacSchemes,
  sourceKinds,
  toCreateInput,
  toUpdateInput,
  writtenMapping,
  type SourceFields,
} from './lead-source-fields.js';
import { leadSourceTexts } from './lead-source-texts.js';
import { CreateLeadSourceDocument, UpdateLeadSourceDocument, type LeadSourceRowFragment } from './operations.js';
import styles from './settings.module.css';

interface LeadSourceFormProps {
  /** Undefined for a new lead source. */
  source?: LeadSourceRowFragment;
  onClose: () => void;
  onSaved: (saved: LeadSourceRowFragment) => void;
}

type Mapping = Record<string, unknown> | null;

/** The properties that each kind's fields need. */
interface KindProps {
  fields: SourceFields;
  isNew: boolean;
  set: (change: Partial<SourceFields>) => void;
  problemOf: Action<[Mapping]>['problemOf'];
}

export function LeadSourceForm({ source, onClose, onSaved }: LeadSourceFormProps) {
  const texts = useTexts(leadSourceTexts);
  const common = useTexts(partTexts);
  const formId = useId();
  const [fields, setFields] = useState(() => fieldsOfSource(source));
  const [isWrongMapping, setIsWrongMapping] = useState(false);
  const set = (change: Partial<SourceFields>) => setFields((now) => ({ ...now, ...change }));
  const save = useAction(
    async (mapping: Mapping) => {
      if (source === undefined)
        return onSaved(
          (await ask(CreateLeadSourceDocument, { input: toCreateInput(fields, mapping) })).createLeadSource,
        );
      const input = toUpdateInput(fields, mapping, source);
      onSaved((await ask(UpdateLeadSourceDocument, { id: source.id, input })).updateLeadSource);
    },
    { isForm: true, onDone: onClose },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const mapping = writtenMapping(fields.mapping);
    setIsWrongMapping(mapping === undefined);
    if (mapping !== undefined) void save.start(mapping);
  };
  const own = { fields, isNew: source === undefined, set, problemOf: save.problemOf };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={source === undefined ? texts.addTitle : texts.editTitle}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isBusy}>
            {source === undefined ? texts.add : common.save}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit}>
        {source === undefined && (
          <Select
            label={texts.kind}
            value={fields.kind}
            options={sourceKinds.map((kind) => ({ value: kind, label: texts[kind] }))}
            onChoose={(kind) => set({ kind: sourceKinds.find((one) => one === kind) ?? 'META' })}
          />
        )}
        <TextField
          label={texts.name}
          hint={texts.nameHint}
          required
          autoFocus
          dir="auto"
          maxLength={100}
          value={fields.name}
          onChange={({ target }) => set({ name: target.value })}
          error={save.problemOf('name')}
        />
        {fields.kind === 'META' && <MetaFields {...own} />}
        {fields.kind === 'GOOGLE' && <SecretField {...own} name="key" label={texts.key} hint={texts.keyHint} />}
        {fields.kind === 'FORM' && <SignatureFields {...own} />}
        <TextArea
          label={texts.mapping}
          hint={texts.mappingHint}
          rows={4}
          spellCheck={false}
          value={fields.mapping}
          onChange={({ target }) => set({ mapping: target.value })}
          error={isWrongMapping ? texts.notObject : save.problemOf('mapping')}
        />
        <FormError error={save.error} />
      </form>
    </Dialog>
  );
}

interface SecretProps extends KindProps {
  name: 'key' | 'appSecret' | 'accessToken' | 'hmacSecret';
  label: string;
  hint: string;
  isRequired?: boolean;
}

function SecretField({ fields, isNew, set, problemOf, name, label, hint, isRequired = isNew }: SecretProps) {
  const texts = useTexts(leadSourceTexts);
  return (
    <TextField
      label={label}
      hint={isNew ? hint : texts.keepSecret}
      required={isRequired}
      autoComplete="off"
      spellCheck={false}
      value={fields[name]}
      onChange={({ target }) => set({ [name]: target.value })}
      error={problemOf(name === 'hmacSecret' ? 'hmac.secret' : name)}
    />
  );
}

function MetaFields(props: KindProps) {
  const { fields, set, problemOf } = props;
  const texts = useTexts(leadSourceTexts);
  return (
    <>
      <SecretField {...props} name="appSecret" label={texts.appSecret} hint={texts.appSecretHint} />
      <SecretField {...props} name="accessToken" label={texts.accessToken} hint={texts.accessTokenHint} />
      <SecretField {...props} name="key" label={texts.verifyKey} hint={texts.verifyKeyHint} isRequired={false} />
      <TextField
        label={texts.formIds}
        hint={texts.formIdsHint}
        inputMode="numeric"
        value={fields.formIds}
        onChange={({ target }) => set({ formIds: target.value })}
        error={problemOf('formIds')}
      />
      <TextField
        label={texts.baseUrl}
        hint={texts.baseUrlHint}
        type="url"
        value={fields.baseUrl}
        onChange={({ target }) => set({ baseUrl: target.value })}
        error={problemOf('baseUrl')}
      />
    </>
  );
}

function SignatureFields(props: KindProps) {
  const { fields, set, problemOf } = props;
  const texts = useTexts(leadSourceTexts);
  const namesOf = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));
  return (
    <>
      <Checkbox
        label={texts.signed}
        hint={texts.signedHint}
        checked={fields.isSigned}
        onChange={({ target }) => set({ isSigned: target.checked })}
      />
      {fields.isSigned && (
        <>
          <div className={styles.pair}>
            <TextField
              label={texts.header}
              required
              spellCheck={false}
              value={fields.header}
              onChange={({ target }) => set({ header: target.value })}
              error={problemOf('hmac.header')}
            />
            <Select
              label={texts.algorithm}
              value={fields.algorithm}
              options={namesOf(hmacAlgorithms)}
              onChoose={(algorithm) => set({ algorithm })}
            />
            <Select
              label={texts.encoding}
              value={fields.encoding}
              options={namesOf(hmacEncodings)}
              onChoose={(encoding) => set({ encoding })}
            />
          </div>
          <Select
            label={texts.scheme}
            value={fields.scheme}
            options={hmacSchemes.map((scheme) => ({ value: scheme, label: texts[scheme] }))}
            onChoose={(chosen) => set({ scheme: hmacSchemes.find((one) => one === chosen) ?? 'BODY' })}
          />
          {fields.scheme !== 'BODY' && <TimeFields {...props} />}
          <SecretField {...props} name="hmacSecret" label={texts.hmacSecret} hint={texts.hmacSecretHint} />
        </>
      )}
    </>
  );
}

function TimeFields({ fields, set, problemOf }: KindProps) {
  const texts = useTexts(leadSourceTexts);
  return (
    <>
      <TextField
        label={texts.timestampHeader}
        hint={texts.timestampHeaderHint}
        spellCheck={false}
        value={fields.timestampHeader}
        onChange={({ target }) => set({ timestampHeader: target.value })}
        error={problemOf('hmac.timestampHeader')}
      />
      <TextField
        label={texts.toleranceSeconds}
        required
        type="number"
        min={1}
        max={86_400}
        value={fields.toleranceSeconds}
        onChange={({ target }) => set({ toleranceSeconds: target.value })}
        error={problemOf('hmac.toleranceSeconds')}
      />
    </>
  );
}
