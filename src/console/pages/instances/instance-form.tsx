// Creates or changes an instance. Secrets are never shown, and an empty field keeps the stored secret.

import { useEffect, useId, useState, type FormEvent } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useAction, type Action } from '../../api/use-action.js';
import { useLoaded } from '../../api/use-loaded.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Checkbox, Select, TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { partTexts } from '../../parts/part-texts.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { providers } from '../../parts/providers.js';
import { emptyFields, textOf, toChange, toCreation, type InstanceFields, type Metadata } from './instance-fields.js';
import styles from './instances.module.css';
import {
  AccountsDocument,
  CreateInstanceDocument,
  InstanceDetailsDocument,
  UpdateInstanceDocument,
  type InstanceCardFragment,
} from './operations.js';
import { instancesTexts } from './texts.js';

interface InstanceFormProps {
  /** Undefined for a new instance. */
  instance?: InstanceCardFragment;
  onClose: () => void;
  onSaved: (saved: InstanceCardFragment) => void;
}

interface Loaded {
  before: InstanceFields;
  metadata: Metadata;
  hasToken: boolean;
}

export function InstanceForm({ instance, onClose, onSaved }: InstanceFormProps) {
  const texts = useTexts(instancesTexts);
  const common = useTexts(partTexts);
  const formId = useId();
  const accountId = useStore(sessionState).user?.accountId ?? '';
  const { data, error, reload } = useLoaded<Loaded>(`form ${instance?.id}`, () =>
    instance === undefined
      ? Promise.resolve({ before: { ...emptyFields, accountId }, metadata: null, hasToken: false })
      : readFields(instance),
  );
  const [written, setWritten] = useState<InstanceFields>();
  const fields = written ?? data?.before ?? emptyFields;
  const save = useAction(
    async ({ before, metadata }: Loaded) => {
      if (instance === undefined) {
        const answer = await ask(CreateInstanceDocument, { input: toCreation(fields) });
        return onSaved(answer.createChatInstance);
      }
      const input = toChange(fields, before, metadata);
      onSaved((await ask(UpdateInstanceDocument, { id: instance.id, input })).updateChatInstance);
    },
    { isForm: true, onDone: onClose },
  );
  const actions = (
    <>
      <Button onClick={onClose}>{common.cancel}</Button>
      <Button kind="primary" type="submit" form={formId} isBusy={save.isBusy}>
        {instance === undefined ? texts.create : common.save}
      </Button>
    </>
  );
  const title = instance === undefined ? texts.newInstance : texts.editTitle(instance.instanceName);
  // The same dialog reads and is written in: a second one in its place would not get the focus.
  return (
    <Dialog isOpen onClose={onClose} title={title} actions={data !== undefined && actions}>
      {data !== undefined ? (
        <Fields
          id={formId}
          isNew={instance === undefined}
          loaded={data}
          fields={fields}
          set={(change) => setWritten((now) => ({ ...(now ?? data.before), ...change }))}
          save={save}
        />
      ) : error === undefined ? (
        <Loading />
      ) : (
        <LoadFailed error={error} onRetry={reload} />
      )}
    </Dialog>
  );
}

async function readFields(instance: InstanceCardFragment): Promise<Loaded> {
  const { id, instanceName, provider, isDefault, account } = instance;
  const { chatInstance: details } = await askAgain(InstanceDetailsDocument, { id });
  const metadata: Metadata = details?.metadata ?? null;
  const before = {
    ...emptyFields,
    instanceName,
    provider,
    isDefault,
    accountId: account.id,
    baseUrl: details?.baseUrl ?? '',
    phoneNumberId: textOf(metadata, 'phoneNumberId'),
    wabaId: textOf(metadata, 'wabaId'),
  };
  return { before, metadata, hasToken: details?.hasToken === true };
}

interface FieldsProps {
  id: string;
  isNew: boolean;
  loaded: Loaded;
  fields: InstanceFields;
  set: (change: Partial<InstanceFields>) => void;
  save: Action<[Loaded]>;
}

function Fields({ id, isNew, loaded, fields, set, save }: FieldsProps) {
  const texts = useTexts(instancesTexts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.start(loaded);
  };
  return (
    <form id={id} className={styles.form} onSubmit={submit}>
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        required
        autoFocus
        maxLength={100}
        value={fields.instanceName}
        onChange={({ target }) => set({ instanceName: target.value })}
        error={save.problemOf('instanceName')}
      />
      {isNew && <AccountChoice value={fields.accountId} onChoose={(accountId) => set({ accountId })} />}
      <Select
        label={texts.kindOfGateway}
        value={fields.provider}
        onChoose={(provider) => set({ provider })}
        options={Object.entries(providers).map(([value, { name }]) => ({ value, label: name }))}
        error={save.problemOf('provider')}
      />
      <TextField
        label={texts.baseUrl}
        hint={providers[fields.provider]?.isMeta ? texts.metaBaseUrlHint : texts.baseUrlHint}
        type="url"
        value={fields.baseUrl}
        onChange={({ target }) => set({ baseUrl: target.value })}
        error={save.problemOf('baseUrl')}
      />
      <Secrets fields={fields} set={set} hasToken={loaded.hasToken} isNew={isNew} save={save} />
      {!loaded.before.isDefault && (
        <Checkbox
          label={texts.makeDefault}
          checked={fields.isDefault}
          onChange={({ target }) => set({ isDefault: target.checked })}
        />
      )}
      <FormError error={save.error} />
    </form>
  );
}

interface SecretsProps {
  fields: InstanceFields;
  set: (change: Partial<InstanceFields>) => void;
  hasToken: boolean;
  isNew: boolean;
  save: Action<[Loaded]>;
}

function Secrets({ fields, set, hasToken, isNew, save }: SecretsProps) {
  const texts = useTexts(instancesTexts);
  const { isMeta, signsCalls } = providers[fields.provider] ?? {};
  return (
    <>
      <TextField
        label={texts.token}
        hint={hasToken ? texts.keepToken : isMeta ? texts.metaTokenHint : texts.tokenHint}
        type="password"
        autoComplete="off"
        disabled={fields.removesToken}
        value={fields.token}
        onChange={({ target }) => set({ token: target.value })}
        error={save.problemOf('token')}
      />
      {hasToken && (
        <Checkbox
          label={texts.removeToken}
          checked={fields.removesToken}
          onChange={({ target }) => set({ removesToken: target.checked })}
        />
      )}
      {signsCalls && (
        <TextField
          label={isMeta ? texts.appSecret : texts.hmacKey}
          hint={!isNew ? texts.keepSecret : isMeta ? texts.appSecretHint : texts.hmacKeyHint}
          type="password"
          autoComplete="off"
          value={fields.webhookSecret}
          onChange={({ target }) => set({ webhookSecret: target.value })}
          error={save.problemOf('webhookSecret')}
        />
      )}
      {isMeta && (
        <>
          <TextField
            label={texts.phoneNumberId}
            inputMode="numeric"
            value={fields.phoneNumberId}
            onChange={({ target }) => set({ phoneNumberId: target.value })}
            error={save.problemOf('metadata.phoneNumberId')}
          />
          <TextField
            label={texts.wabaId}
            hint={texts.wabaHint}
            inputMode="numeric"
            value={fields.wabaId}
            onChange={({ target }) => set({ wabaId: target.value })}
            error={save.problemOf('metadata.wabaId')}
          />
        </>
      )}
    </>
  );
}

/** Chooses the account that owns the number. It offers the first 100 users, and always the current user. */
function AccountChoice({ value, onChoose }: { value: string; onChoose: (id: string) => void }) {
  const texts = useTexts(instancesTexts);
  const { data } = useLoaded('accounts', async () => (await askAgain(AccountsDocument, {})).users.edges);
  const accounts = new Map(data?.map(({ node }) => [node.account.id, node.account.name]));
  useEffect(() => {
    const [first] = accounts.keys();
    if (value === '' && first !== undefined) onChoose(first);
  });
  const options = [...accounts].map(([id, name]) => ({ value: id, label: name }));
  if (value !== '' && !accounts.has(value)) options.unshift({ value, label: texts.ownAccount });
  return (
    <Select label={texts.accountLabel} hint={texts.accountHint} value={value} onChoose={onChoose} options={options} />
  );
}
