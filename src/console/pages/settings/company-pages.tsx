// The company's settings, by subject: company, sending, consent and assistants.

import { useTexts } from '../../i18n/language.js';
import { CountryField } from '../../parts/country-field.js';
import { Checkbox, Select, TextArea, TextField } from '../../parts/field.js';
import { CompanySettings, type CompanyForm } from './company-settings.js';
import { companyTexts } from './company-texts.js';
import styles from './settings.module.css';
import { SignatureFields } from './signature-fields.js';

export function CompanyPage() {
  const texts = useTexts(companyTexts);
  return (
    <CompanySettings title={texts.company} about={texts.companyAbout}>
      {({ fields, set, save }) => (
        <>
          <div className={styles.group}>
            <TextField
              label={texts.name}
              hint={texts.nameHint}
              required
              maxLength={200}
              value={fields.name}
              onChange={({ target }) => set({ name: target.value })}
              error={save.problemOf('name')}
            />
            <TextField
              label={texts.webhookSourceLabel}
              hint={texts.sourceLabelHint}
              maxLength={100}
              value={fields.webhookSourceLabel}
              onChange={({ target }) => set({ webhookSourceLabel: target.value })}
              error={save.problemOf('webhookSourceLabel')}
            />
          </div>
          <SignatureFields fields={fields} set={set} formatProblem={save.problemOf('signatureFormat')} />
          <fieldset className={styles.group}>
            <legend>{texts.notifications}</legend>
            <Checkbox
              label={texts.pushesText}
              hint={texts.pushesTextHint}
              checked={fields.pushesText}
              onChange={({ target }) => set({ pushesText: target.checked })}
            />
          </fieldset>
        </>
      )}
    </CompanySettings>
  );
}

export function SendingPage() {
  const texts = useTexts(companyTexts);
  return (
    <CompanySettings title={texts.sending} about={texts.sendingAbout}>
      {({ fields, set, save }) => (
        <>
          <RateLimit fields={fields} set={set} save={save} />
          <fieldset className={styles.group}>
            <legend>{texts.numbers}</legend>
            <CountryField
              label={texts.defaultCountry}
              hint={texts.countryHint}
              value={fields.defaultCountry}
              onChoose={(defaultCountry) => set({ defaultCountry })}
              error={save.problemOf('defaultCountry')}
            />
          </fieldset>
          <ChannelChoices fields={fields} set={set} />
        </>
      )}
    </CompanySettings>
  );
}

export function ConsentPage() {
  const texts = useTexts(companyTexts);
  return (
    <CompanySettings title={texts.consent} about={texts.consentAbout}>
      {({ fields, set, save }) => (
        <div className={styles.group}>
          <TextArea
            label={texts.optOutKeywords}
            hint={texts.optOutHint}
            dir="auto"
            value={fields.optOutKeywords}
            onChange={({ target }) => set({ optOutKeywords: target.value })}
            error={save.problemOf('optOutKeywords')}
          />
          <TextArea
            label={texts.optInKeywords}
            hint={texts.optInHint}
            dir="auto"
            value={fields.optInKeywords}
            onChange={({ target }) => set({ optInKeywords: target.value })}
            error={save.problemOf('optInKeywords')}
          />
          <TextArea
            label={texts.optOutReply}
            hint={texts.optOutReplyHint}
            dir="auto"
            maxLength={1_000}
            value={fields.optOutReply}
            onChange={({ target }) => set({ optOutReply: target.value })}
            error={save.problemOf('optOutReply')}
          />
        </div>
      )}
    </CompanySettings>
  );
}

const assistantModes = ['OFF', 'DRAFT', 'SEND'] as const;

/** The choice of permissions for the assistants of the company's users. */
export function AssistantsPage() {
  const texts = useTexts(companyTexts);
  return (
    <CompanySettings title={texts.assistantsPage} about={texts.assistantsAbout}>
      {({ fields, set, save }) => (
        <div className={styles.group}>
          <Select
            label={texts.assistants}
            hint={texts.assistantsHint}
            value={fields.assistants}
            onChoose={(chosen) => set({ assistants: assistantModes.find((mode) => mode === chosen) ?? 'OFF' })}
            options={assistantModes.map((value) => ({ value, label: texts[`assistants${value}`] }))}
            error={save.problemOf('assistants')}
          />
        </div>
      )}
    </CompanySettings>
  );
}

const channelChoices = ['sendsReadReceipts', 'showsTyping', 'checksNumbers'] as const;

/** The choices about other calls to gateways than messages: read receipts, typing notices and number checks. */
function ChannelChoices({ fields, set }: Pick<CompanyForm, 'fields' | 'set'>) {
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

function RateLimit({ fields, set, save }: CompanyForm) {
  const texts = useTexts(companyTexts);
  return (
    <fieldset className={styles.group}>
      <legend>{texts.chatRateLimit}</legend>
      <Checkbox
        label={texts.isLimited}
        hint={fields.isLimited ? texts.limitHint : texts.unlimited}
        checked={fields.isLimited}
        onChange={({ target }) => set({ isLimited: target.checked })}
      />
      {fields.isLimited && (
        <div className={styles.limit}>
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
