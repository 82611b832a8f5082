// The form for a new bulk send, step by step: content, recipients, values and check, beside a summary that sends it.

import { useMemo, useState, type ReactNode } from 'react';
import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Page } from '../../parts/page.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { parseTemplate, usesObjectsOfLead } from '../../parts/template-text.js';
import { emptyBulkDraft, useKeeping, useKeptBulk, type BulkDraft } from './bulk-draft.js';
import styles from './bulk.module.css';
import { BulkSummary } from './bulk-summary.js';
import { CheckStep } from './check-step.js';
import { ContentStep, type ChosenContent } from './content-step.js';
import { askedAbove, HeldBulk } from './held-bulk.js';
import { BulkInstancesDocument } from './operations.js';
import { RecipientsStep, type ReadRecipients } from './recipients-step.js';
import { namesOf, planSend, type Content, type ValueSource } from './send-plan.js';
import { createSending, type Sending } from './sending.js';
import { SendingPanel } from './sending-panel.js';
import { formTexts } from './form-texts.js';
import { bulkTexts } from './texts.js';
import { ValuesStep } from './values-step.js';

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
function usePlan(first: BulkDraft) {
  const [chosen, setChosen] = useState<ChosenContent>(first.chosen);
  const [conditions, setConditions] = useState(first.conditions);
  const [read, setRead] = useState<ReadRecipients>();
  const [sources, setSources] = useState<Record<string, ValueSource>>(first.sources);
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
  const reset = () => {
    setChosen(emptyBulkDraft.chosen);
    setConditions(emptyBulkDraft.conditions);
    setSources(emptyBulkDraft.sources);
    setRead(undefined);
  };
  const choices = { chosen, setChosen, conditions, setConditions, sources, setSources, reset };
  return { ...choices, read: shown, setRead, content, needsFields, plan, names };
}

function termsOf({ template, channelTemplate, instanceId }: ChosenContent, at: Date | undefined): Sending['terms'] {
  const sendAt = at === undefined ? {} : { sendAt: at.toISOString() };
  // A channel template already belongs to an instance.
  if (channelTemplate !== undefined) return { channelTemplateId: channelTemplate.id, ...sendAt };
  return { templateId: template?.id ?? '', ...(instanceId !== '' && { instanceId }), ...sendAt };
}

interface NewProps {
  /** Leads to the list of bulk sends. */
  back: ReactNode;
  onSent: (ids: readonly string[]) => void;
}

export function NewBulk({ back, onSent }: NewProps) {
  const { create } = useTexts(bulkTexts);
  const { user } = useStore(sessionState);
  const kept = useKeptBulk(user?.id ?? '');
  const form = usePlan(kept.first);
  useKeeping(kept.keep, form);
  const discard = () => {
    form.reset();
    kept.forget();
  };
  return (
    <Page
      title={create}
      back={back}
      actions={kept.keptAt !== undefined && <KeptDraft at={kept.keptAt} onDiscard={discard} />}
    >
      <NewForm
        form={form}
        onSent={(ids) => {
          kept.forget();
          onSent(ids);
        }}
      />
    </Page>
  );
}

function NewForm({ form, onSent }: { form: ReturnType<typeof usePlan>; onSent: NewProps['onSent'] }) {
  const texts = useTexts(formTexts);
  const instances = useLoaded('instances', async () => (await askAgain(BulkInstancesDocument)).chatInstances);
  const { chosen, read, sources, content, plan, names } = form;
  const [sending, setSending] = useState<Sending>();
  const [held, setHeld] = useState<Sending>();
  if (instances.error !== undefined && instances.data === undefined)
    return <LoadFailed error={instances.error} onRetry={instances.reload} />;
  if (instances.data === undefined) return <Loading />;
  if (sending !== undefined)
    return <SendingPanel initial={sending} onSent={onSent} onGivenUp={() => setSending(undefined)} />;

  const start = (at: Date | undefined) => {
    if (plan === undefined) return;
    const title = (chosen.channelTemplate ?? chosen.template)?.name ?? '';
    const created = createSending({ title, terms: termsOf(chosen, at) }, plan.recipients);
    if (plan.recipients.length > askedAbove) setHeld(created);
    else setSending(created);
  };
  return (
    <div className={styles.columns}>
      {/* What is held is what was asked about: nothing of it changes meanwhile. */}
      <div className={styles.form} inert={held !== undefined}>
        <ol className={styles.steps}>
          <Step title={texts.stepContent} isDone={content !== undefined}>
            <ContentStep instances={instances.data} chosen={chosen} onChoose={form.setChosen} />
          </Step>
          <Step title={texts.stepRecipients} isDone={read !== undefined}>
            <RecipientsStep
              needsFields={form.needsFields}
              conditions={form.conditions}
              onConditions={form.setConditions}
              read={read}
              onRead={form.setRead}
              reachable={plan?.recipients.length}
            />
          </Step>
          {names.length > 0 && (
            <Step title={texts.stepValues} isDone={plan !== undefined && plan.recipients.length > 0}>
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
        </ol>
      </div>
      <BulkSummary plan={plan} chosen={chosen} instances={instances.data} isHeld={held !== undefined} onSend={start} />
      {held !== undefined && (
        <HeldBulk
          sending={held}
          count={plan?.recipients.length ?? 0}
          onLeave={() => {
            setHeld(undefined);
            setSending(held);
          }}
          onUndo={() => setHeld(undefined)}
        />
      )}
    </div>
  );
}

function KeptDraft({ at, onDiscard }: { at: string; onDiscard: () => void }) {
  const texts = useTexts(formTexts);
  const formats = useFormats();
  return (
    <div className={styles.kept}>
      <span>{texts.draftKept(formats.short(at))}</span>
      <Button kind="quiet" onClick={onDiscard}>
        {texts.discardDraft}
      </Button>
    </div>
  );
}

interface StepProps {
  title: string;
  isDone?: boolean;
  children: React.ReactNode;
}

function Step({ title, isDone = false, children }: StepProps) {
  return (
    <li className={styles.card} data-done={isDone || undefined}>
      <h2>
        {isDone && (
          <span className={styles.done}>
            <Icon name="check" size={14} />
          </span>
        )}
        {title}
      </h2>
      {children}
    </li>
  );
}
