// A new bulk send, step by step: what, to whom, with which values, what comes of it, and when.

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
import { ContentStep, textOfChannelTemplate } from './content-step.js';
import type { ChosenContent } from './content-step.js';
import { BulkInstancesDocument } from './operations.js';
import { RecipientsStep } from './recipients-step.js';
import type { ReadRecipients } from './recipients-step.js';
import { namesOf, planSend, splitIntoParts } from './send-plan.js';
import type { Content, ValueSource } from './send-plan.js';
import { createSending } from './sending.js';
import type { Sending } from './sending.js';
import { SendingPanel } from './sending-panel.js';
import { bulkTexts } from './texts.js';
import { ValuesStep } from './values-step.js';

const yearMs = 366 * 86_400_000;

/** As the template's text, or the paths of the network's; undefined until one is chosen. */
function contentOf({ template, channelTemplate }: ChosenContent): Content | undefined {
  if (channelTemplate !== undefined) return { paths: channelTemplate.variables };
  if (template === undefined) return undefined;
  const parsed = parseTemplate(template.body);
  return 'problem' in parsed ? undefined : { template: parsed };
}

export function NewBulk({ onSent }: { onSent: (ids: readonly string[]) => void }) {
  const texts = useTexts(bulkTexts);
  const formats = useFormats();
  const instances = useLoaded('instances', async () => (await askAgain(BulkInstancesDocument)).chatInstances);
  const [chosen, setChosen] = useState<ChosenContent>({ instanceId: '' });
  const [read, setRead] = useState<ReadRecipients>();
  const [sources, setSources] = useState<Record<string, ValueSource>>({});
  const [sendAt, setSendAt] = useState<string>();
  const [sending, setSending] = useState<Sending>();
  const content = useMemo(() => contentOf(chosen), [chosen]);
  const needsFields = content !== undefined && 'template' in content && usesObjectsOfLead(content.template);
  // Read without the fields that this template needs: to be read again.
  const candidates = read !== undefined && (read.hasFields || !needsFields) ? read.candidates : undefined;
  const plan = useMemo(
    () => (content === undefined || candidates === undefined ? undefined : planSend(candidates, content, sources)),
    [content, candidates, sources],
  );
  const parts = useMemo(() => (plan === undefined ? 0 : splitIntoParts(plan.recipients).length), [plan]);
  const at = sendAt === undefined || sendAt === '' ? undefined : new Date(sendAt);
  const isWrongTime =
    sendAt !== undefined && (at === undefined || at.getTime() < Date.now() || at.getTime() > Date.now() + yearMs);

  if (instances.error !== undefined && instances.data === undefined)
    return <LoadFailed error={instances.error} onRetry={instances.reload} />;
  if (instances.data === undefined) return <Loading />;
  if (sending !== undefined)
    return <SendingPanel initial={sending} onSent={onSent} onGivenUp={() => setSending(undefined)} />;

  const names = content === undefined ? [] : namesOf(content);
  const start = () => {
    if (plan === undefined || plan.recipients.length === 0 || isWrongTime) return;
    const { template, channelTemplate, instanceId } = chosen;
    const terms = {
      ...(channelTemplate === undefined
        ? { templateId: template?.id ?? '' }
        : { channelTemplateId: channelTemplate.id }),
      ...(instanceId !== '' && channelTemplate === undefined && { instanceId }),
      ...(at !== undefined && { sendAt: at.toISOString() }),
    };
    setSending(createSending({ title: (channelTemplate ?? template)?.name ?? '', terms }, plan.recipients));
  };
  return (
    <ol className={styles.steps}>
      <Step title={texts.stepContent}>
        <ContentStep instances={instances.data} chosen={chosen} onChoose={setChosen} />
      </Step>
      <Step title={texts.stepRecipients}>
        <RecipientsStep needsFields={needsFields} read={candidates === undefined ? undefined : read} onRead={setRead} />
      </Step>
      {names.length > 0 && (
        <Step title={texts.stepValues}>
          <ValuesStep
            content={content}
            names={names}
            columns={read?.columns ?? []}
            sources={sources}
            onChange={setSources}
          />
        </Step>
      )}
      <Step title={texts.stepCheck}>
        {plan === undefined ? (
          <p className={styles.quiet}>{texts.checkHint}</p>
        ) : (
          <CheckStep
            plan={plan}
            {...(chosen.template !== undefined &&
              chosen.channelTemplate === undefined && { templateId: chosen.template.id })}
            {...(chosen.channelTemplate !== undefined && {
              channelText: textOfChannelTemplate(chosen.channelTemplate),
            })}
          />
        )}
      </Step>
      <Step title={texts.stepSend}>
        <Checkbox
          label={texts.later}
          checked={sendAt !== undefined}
          onChange={({ target }) => setSendAt(target.checked ? '' : undefined)}
        />
        {sendAt !== undefined && (
          <TextField
            label={texts.sendAt}
            type="datetime-local"
            value={sendAt}
            hint={texts.sendAtHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}
            error={sendAt !== '' && isWrongTime ? texts.wrongTime : undefined}
            onChange={({ target }) => setSendAt(target.value)}
          />
        )}
        {parts > 1 && <p role="status">{texts.split(formats.number(parts))}</p>}
        <div className={styles.actions}>
          <Button
            kind="primary"
            icon="send"
            disabled={plan === undefined || plan.recipients.length === 0 || isWrongTime}
            onClick={start}
          >
            {plan === undefined ? texts.send : texts.sendTo(formats.number(plan.recipients.length))}
          </Button>
        </div>
      </Step>
    </ol>
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
