// The form for a new bulk send, step by step: content, recipients, values, check and time.

import { useMemo, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Checkbox, TextField } from '../../parts/field.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { parseTemplate, usesObjectsOfLead } from '../../parts/template-text.js';
import styles from './bulk.module.css';
import { CheckStep } from './check-step.js';
import { ContentStep, type ChosenContent } from './content-step.js';
import { BulkInstancesDocument } from './operations.js';
import { RecipientsStep, type ReadRecipients } from './recipients-step.js';
import { namesOf, planSend, splitIntoParts, type Content, type SendPlan, type ValueSource } from './send-plan.js';
import { createSending, type Sending } from './sending.js';
import { SendingPanel } from './sending-panel.js';
import { formTexts } from './form-texts.js';
import { ValuesStep } from './values-step.js';

const yearMs = 366 * 86_400_000;

/**
 * Returns the chosen content: the tenant's parsed template, or the network template's variable paths. Undefined until a valid template is
 * chosen.
 */
function contentOf({ template, channelTemplate }: ChosenContent): Content | undefined {
  if (channelTemplate !== undefined) return { paths: channelTemplate.variables };
  if (template === undefined) return undefined;
  const parsed = parseTemplate(template.body);
  return 'problem' in parsed ? undefined : { template: parsed };
}

/** Holds the form's choices and the send plan that follows from them. */
function usePlan() {
  const [chosen, setChosen] = useState<ChosenContent>({ instanceId: '' });
  const [read, setRead] = useState<ReadRecipients>();
  const [sources, setSources] = useState<Record<string, ValueSource>>({});
  const content = useMemo(() => contentOf(chosen), [chosen]);
  const needsFields = content !== undefined && 'template' in content && usesObjectsOfLead(content.template);
  // A template may need fields that the last reading left out. The recipients then have to be read again.
  const isRead = read !== undefined && (read.hasFields || !needsFields);
  const candidates = isRead ? read.candidates : undefined;
  const plan = useMemo(
    () => (content === undefined || candidates === undefined ? undefined : planSend(candidates, content, sources)),
    [content, candidates, sources],
  );
  const names = content === undefined ? [] : namesOf(content);
  const shown = isRead ? read : undefined;
  return { chosen, setChosen, read: shown, setRead, sources, setSources, content, needsFields, plan, names };
}

function termsOf({ template, channelTemplate, instanceId }: ChosenContent, at: Date | undefined): Sending['terms'] {
  const sendAt = at === undefined ? {} : { sendAt: at.toISOString() };
  // A channel template already belongs to an instance.
  if (channelTemplate !== undefined) return { channelTemplateId: channelTemplate.id, ...sendAt };
  return { templateId: template?.id ?? '', ...(instanceId !== '' && { instanceId }), ...sendAt };
}

export function NewBulk({ onSent }: { onSent: (ids: readonly string[]) => void }) {
  const texts = useTexts(formTexts);
  const instances = useLoaded('instances', async () => (await askAgain(BulkInstancesDocument)).chatInstances);
  const form = usePlan();
  const { chosen, read, sources, content, plan, names } = form;
  const [sending, setSending] = useState<Sending>();
  if (instances.error !== undefined && instances.data === undefined)
    return <LoadFailed error={instances.error} onRetry={instances.reload} />;
  if (instances.data === undefined) return <Loading />;
  if (sending !== undefined)
    return <SendingPanel initial={sending} onSent={onSent} onGivenUp={() => setSending(undefined)} />;

  const start = (at: Date | undefined) => {
    const title = (chosen.channelTemplate ?? chosen.template)?.name ?? '';
    if (plan !== undefined) setSending(createSending({ title, terms: termsOf(chosen, at) }, plan.recipients));
  };
  return (
    <ol className={styles.steps}>
      <Step title={texts.stepContent}>
        <ContentStep instances={instances.data} chosen={chosen} onChoose={form.setChosen} />
      </Step>
      <Step title={texts.stepRecipients}>
        <RecipientsStep needsFields={form.needsFields} read={read} onRead={form.setRead} />
      </Step>
      {names.length > 0 && (
        <Step title={texts.stepValues}>
          <ValuesStep
            content={content}
            names={names}
            columns={read?.columns ?? []}
            sources={sources}
            onChange={form.setSources}
          />
        </Step>
      )}
      <Step title={texts.stepCheck}>
        {plan === undefined ? (
          <p className={styles.quiet}>{texts.checkHint}</p>
        ) : (
          <CheckStep plan={plan} chosen={chosen} />
        )}
      </Step>
      <Step title={texts.stepSend}>
        <SendStep plan={plan} onSend={start} />
      </Step>
    </ol>
  );
}

interface SendStepProps {
  plan: SendPlan | undefined;
  onSend: (at: Date | undefined) => void;
}

/** A time as the user wrote it, with a flag for an unusable one. */
interface WrittenTime {
  text: string;
  isWrong: boolean;
}

function readTime(text: string): WrittenTime {
  const aheadMs = new Date(text).getTime() - Date.now();
  return { text, isWrong: !(aheadMs > 0 && aheadMs < yearMs) };
}

function SendStep({ plan, onSend }: SendStepProps) {
  const texts = useTexts(formTexts);
  const formats = useFormats();
  const [time, setTime] = useState<WrittenTime>();
  const parts = useMemo(() => (plan === undefined ? 0 : splitIntoParts(plan.recipients).length), [plan]);
  const count = plan?.recipients.length ?? 0;
  const send = () => {
    // The time may have passed while the form was open.
    const now = time === undefined ? undefined : readTime(time.text);
    setTime(now);
    if (now?.isWrong !== true) onSend(now === undefined ? undefined : new Date(now.text));
  };
  return (
    <>
      <Checkbox
        label={texts.later}
        checked={time !== undefined}
        onChange={({ target }) => setTime(target.checked ? { text: '', isWrong: true } : undefined)}
      />
      {time !== undefined && (
        <TextField
          label={texts.sendAt}
          type="datetime-local"
          value={time.text}
          hint={texts.sendAtHint(new Intl.DateTimeFormat().resolvedOptions().timeZone)}
          error={time.text !== '' && time.isWrong ? texts.wrongTime : undefined}
          onChange={({ target }) => setTime(readTime(target.value))}
        />
      )}
      {parts > 1 && <p role="status">{texts.split(formats.number(parts))}</p>}
      <div className={styles.actions}>
        <Button kind="primary" icon="send" disabled={count === 0 || time?.isWrong === true} onClick={send}>
          {plan === undefined ? texts.send : texts.sendTo(formats.number(count))}
        </Button>
      </div>
    </>
  );
}

function Step({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <li className={styles.card}>
      <h2>{title}</h2>
      {children}
    </li>
  );
}
