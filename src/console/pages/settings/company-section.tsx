// The settings of the whole company: name, sending rate, default country, opt-out keywords, signatures, gateway calls and
// assistants.

import { useState, type FormEvent } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useAction, type Action } from '../../api/use-action.js';
import { useLoaded } from '../../api/use-loaded.js';
import { countryName } from '../../i18n/country-name.js';
import { localeOf, useLanguage, useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Checkbox, Select, TextArea, TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { notify } from '../../parts/notices.js';
import { partTexts } from '../../parts/part-texts.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { toChange, toFields, type CompanyFields } from './company-fields.js';
import { companyTexts } from './company-texts.js';
import { CompanyDocument, UpdateCompanyDocument, type CompanySettingsFragment } from './operations.js';
import styles from './settings.module.css';
import { SignatureFields } from './signature-fields.js';

export function CompanySection({ tenantId }: { tenantId: string }) {
  const texts = useTexts(companyTexts);
  const { data, error, reload, change } = useLoaded(
    tenantId,
    async () => (await askAgain(CompanyDocument, { id: tenantId })).tenant,
  );
  return (
    <section className={styles.section} aria-labelledby="company">
      <h2 id="company">{texts.company}</h2>
      {error !== undefined && <LoadFailed error={error} onRetry={reload} />}
      {data == null ? (
        error === undefined && <Loading />
      ) : (
        <CompanyForm company={data} onSaved={(saved) => change(() => saved)} />
      )}
    </section>
  );
}

interface CompanyFormProps {
  company: CompanySettingsFragment;
  onSaved: (saved: CompanySettingsFragment) => void;
}

function CompanyForm({ company, onSaved }: CompanyFormProps) {
  const texts = useTexts(companyTexts);
  const common = useTexts(partTexts);
  const language = useLanguage();
  const before = toFields(company);
  const [fields, setFields] = useState(before);
  const set = (change: Partial<CompanyFields>) => setFields((now) => ({ ...now, ...change }));
  const input = toChange(fields, before);
  const isChanged = Object.keys(input).length > 0;
  const save = useAction(
    async () => {
      const { updateTenant } = await ask(UpdateCompanyDocument, { id: company.id, input });
      onSaved(updateTenant);
      setFields(toFields(updateTenant));
      notify(texts.saved);
    },
    { isForm: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.start();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={texts.name}
        required
        maxLength={200}
        value={fields.name}
        onChange={({ target }) => set({ name: target.value })}
        error={save.problemOf('name')}
      />
      <RateLimit fields={fields} set={set} save={save} />
      <TextField
        label={texts.country}
        hint={countryName(fields.defaultCountry, localeOf[language]) ?? texts.countryHint}
        maxLength={2}
        pattern="[A-Za-z]{2}"
        value={fields.defaultCountry}
        onChange={({ target }) => set({ defaultCountry: target.value.toUpperCase() })}
        error={save.problemOf('defaultCountry')}
      />
      <TextField
        label={texts.sourceLabel}
        hint={texts.sourceLabelHint}
        maxLength={100}
        value={fields.webhookSourceLabel}
        onChange={({ target }) => set({ webhookSourceLabel: target.value })}
        error={save.problemOf('webhookSourceLabel')}
      />
      <div className={styles.pair}>
        <TextArea
          label={texts.optOut}
          hint={texts.optOutHint}
          dir="auto"
          value={fields.optOutKeywords}
          onChange={({ target }) => set({ optOutKeywords: target.value })}
          error={save.problemOf('optOutKeywords')}
        />
        <TextArea
          label={texts.optIn}
          hint={texts.optInHint}
          dir="auto"
          value={fields.optInKeywords}
          onChange={({ target }) => set({ optInKeywords: target.value })}
          error={save.problemOf('optInKeywords')}
        />
      </div>
      <TextArea
        label={texts.optOutReply}
        hint={texts.optOutReplyHint}
        dir="auto"
        maxLength={1_000}
        value={fields.optOutReply}
        onChange={({ target }) => set({ optOutReply: target.value })}
        error={save.problemOf('optOutReply')}
      />
      <SignatureFields fields={fields} set={set} formatProblem={save.problemOf('signatureFormat')} />
      <ChannelChoices fields={fields} set={set} />
      <AssistantChoice fields={fields} set={set} />
      <FormError error={save.error} />
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={save.isBusy} disabled={!isChanged}>
          {common.save}
        </Button>
        {isChanged && (
          <Button
            onClick={() => {
              setFields(before);
              save.clear();
            }}
          >
            {common.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}

const channelChoices = ['sendsReadReceipts', 'showsTyping', 'checksNumbers'] as const;

/** The choices about other calls to gateways than messages: read receipts, typing notices and number checks. */
function ChannelChoices({ fields, set }: Pick<RateLimitProps, 'fields' | 'set'>) {
  const texts = useTexts(companyTexts);
  return (
    <fieldset className={styles.group}>
      <legend>{texts.channel}</legend>
      {channelChoices.map((choice) => (
        <Checkbox
          key={choice}
          label={texts[choice]}
          hint={texts[`${choice}Hint`]}
          checked={fields[choice]}
          onChange={({ target }) => set({ [choice]: target.checked })}
        />
      ))}
    </fieldset>
  );
}

const assistantModes = ['OFF', 'DRAFT', 'SEND'] as const;

/** The choice of permissions for the assistants of the company's users. */
function AssistantChoice({ fields, set }: Pick<RateLimitProps, 'fields' | 'set'>) {
  const texts = useTexts(companyTexts);
  return (
    <Select
      label={texts.assistants}
      hint={texts.assistantsHint}
      value={fields.assistants}
      onChoose={(chosen) => set({ assistants: assistantModes.find((mode) => mode === chosen) ?? 'OFF' })}
      options={assistantModes.map((value) => ({ value, label: texts[`assistants${value}`] }))}
    />
  );
}

interface RateLimitProps {
  fields: CompanyFields;
  set: (change: Partial<CompanyFields>) => void;
  save: Action<[]>;
}

function RateLimit({ fields, set, save }: RateLimitProps) {
  const texts = useTexts(companyTexts);
  return (
    <fieldset className={styles.group}>
      <legend>{texts.limit}</legend>
      <Checkbox
        label={texts.isLimited}
        hint={fields.isLimited ? undefined : texts.unlimited}
        checked={fields.isLimited}
        onChange={({ target }) => set({ isLimited: target.checked })}
      />
      {fields.isLimited && (
        <div className={styles.pair}>
          <TextField
            label={texts.maxSends}
            type="number"
            required
            min={1}
            max={1_000_000}
            value={fields.maxSends}
            onChange={({ target }) => set({ maxSends: target.value })}
            error={save.problemOf('chatRateLimit.max')}
          />
          <TextField
            label={texts.perSeconds}
            type="number"
            required
            min={0.1}
            max={86_400}
            step="any"
            value={fields.perSeconds}
            onChange={({ target }) => set({ perSeconds: target.value })}
            error={save.problemOf('chatRateLimit.durationMs')}
          />
        </div>
      )}
    </fieldset>
  );
}
