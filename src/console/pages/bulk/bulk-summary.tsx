// The summary beside the form of a bulk send, which stays in view: how many people, what, when, through which line, and who is left out.

import { useEffect, useMemo, useRef, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useNow } from '../../app/now.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button, IconButton } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { TextField } from '../../parts/field.js';
import { lengthOf } from '../../parts/template-text.js';
import styles from './bulk.module.css';
import { textOfChannelTemplate, type ChosenContent } from './content-step.js';
import { formTexts } from './form-texts.js';
import { askedAbove } from './held-bulk.js';
import { BulkPaceDocument, type BulkInstancesQuery } from './operations.js';
import { skipReasons, splitIntoParts, type SendPlan } from './send-plan.js';
import { summaryTexts } from './summary-texts.js';

const yearMs = 366 * 86_400_000;

interface SummaryProps {
  plan: SendPlan | undefined;
  chosen: ChosenContent;
  instances: BulkInstancesQuery['chatInstances'];
  /** The send is under way: the form is read alone. */
  isHeld: boolean;
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

export function BulkSummary({ plan, chosen, instances, isHeld, onSend }: SummaryProps) {
  const texts = useTexts(summaryTexts);
  const form = useTexts(formTexts);
  const formats = useFormats();
  const [time, setTime] = useState<WrittenTime>();
  const [isAsking, setIsAsking] = useState(false);
  const button = useSendAgain(isHeld);
  const parts = useMemo(() => (plan === undefined ? 0 : splitIntoParts(plan.recipients).length), [plan]);
  const count = plan?.recipients.length ?? 0;
  const isMany = count > askedAbove;
  const shownTime = time === undefined || time.isWrong ? undefined : new Date(time.text).toISOString();
  const send = () => {
    // The time may have passed while the form was open.
    const now = time === undefined ? undefined : readTime(time.text);
    setTime(now);
    if (now?.isWrong !== true) onSend(now === undefined ? undefined : new Date(now.text));
  };
  return (
    <aside className={styles.summary} aria-label={texts.summary}>
      <p className={styles.people}>
        <b>{formats.number(count)}</b> {texts.people(count)}
      </p>
      <dl>
        <dt>{texts.what}</dt>
        <dd>
          <What chosen={chosen} />
        </dd>
        <dt>{texts.when}</dt>
        <dd>
          <When count={count} at={shownTime} />
        </dd>
        <dt>{texts.through}</dt>
        <dd>
          <Through chosen={chosen} instances={instances} />
        </dd>
      </dl>
      {plan !== undefined && plan.skipped.length > 0 && <LeftOut skipped={plan.skipped} />}
      <div className={styles.go}>
        {time !== undefined && (
          <TextField
            label={form.sendAt}
            type="datetime-local"
            value={time.text}
            hint={form.sendAtHint(new Intl.DateTimeFormat().resolvedOptions().timeZone)}
            error={time.text !== '' && time.isWrong ? form.wrongTime : undefined}
            onChange={({ target }) => setTime(readTime(target.value))}
          />
        )}
        {parts > 1 && <p role="status">{form.split(formats.number(parts))}</p>}
        <div className={styles.goActions}>
          <Button
            ref={button}
            kind="primary"
            icon="send"
            disabled={isHeld || count === 0 || time?.isWrong === true}
            onClick={() => (isMany ? setIsAsking(true) : send())}
          >
            {count === 0 ? form.send : form.sendTo(formats.number(count))}
          </Button>
          <IconButton
            kind="line"
            icon="clock"
            label={form.later}
            aria-pressed={time !== undefined}
            disabled={isHeld}
            onClick={() => setTime(time === undefined ? { text: '', isWrong: true } : undefined)}
          />
        </div>
        {count > 0 && <p className={styles.quiet}>{isMany ? texts.askedOnce : texts.leavesAtOnce}</p>}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={texts.askTitle(formats.number(count))}
          text={texts.askText}
          confirmLabel={form.sendTo(formats.number(count))}
          kind="primary"
          onConfirm={() => Promise.resolve(send())}
          onClose={() => setIsAsking(false)}
        />
      )}
    </aside>
  );
}

/** @returns the button that takes the focus when a send has been taken back: it sends again */
function useSendAgain(isHeld: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasHeld = useRef(isHeld);
  useEffect(() => {
    if (wasHeld.current && !isHeld && document.activeElement === document.body) button.current?.focus();
    wasHeld.current = isHeld;
  }, [isHeld]);
  return button;
}

/** Says when the last message leaves, which no send waits for before it is known. */
function When({ count, at }: { count: number; at: string | undefined }) {
  const texts = useTexts(summaryTexts);
  const formats = useFormats();
  const { data } = useLoaded(`pace ${count}`, async () => (await askAgain(BulkPaceDocument, { count })).sendingPace);
  const now = useNow();
  const { max, durationMs, isComplete, doneAt } = data ?? {};
  const doneText = isComplete === false ? texts.doneAfter : texts.doneAbout;
  const isDone = count > 0 && doneAt != null;
  return (
    <>
      {at !== undefined
        ? formats.full(at)
        : isDone
          ? doneText(formats.timeBeside(new Date(now).toISOString(), doneAt))
          : texts.now}
      {max != null && durationMs != null && (
        <small>
          {texts.pace(formats.number(max), formats.span(durationMs))}
          {at !== undefined && count > 0 && ` · ${texts.takes(formats.span(Math.ceil(count / max) * durationMs))}`}
        </small>
      )}
      {max === null && <small>{texts.noPace}</small>}
    </>
  );
}

function What({ chosen: { template, channelTemplate } }: { chosen: ChosenContent }) {
  const texts = useTexts(summaryTexts);
  const formats = useFormats();
  const body = channelTemplate === undefined ? template?.body : textOfChannelTemplate(channelTemplate);
  if (body === undefined) return <span className={styles.quiet}>{texts.notYet}</span>;
  return (
    <>
      <span dir="auto">{(channelTemplate ?? template)?.name}</span>
      <small>{texts.characters(formats.number(lengthOf(body)))}</small>
    </>
  );
}

function Through({ chosen: { instanceId }, instances }: Pick<SummaryProps, 'chosen' | 'instances'>) {
  const texts = useTexts(summaryTexts);
  const instance = instances.find(({ id, isDefault }) => (instanceId === '' ? isDefault : id === instanceId));
  if (instance === undefined) return <span className={styles.quiet}>{texts.notYet}</span>;
  const isConnected = instance.status === 'CONNECTED' || instance.status === 'DEGRADED';
  return (
    <>
      {instance.instanceName}
      <small className={isConnected ? undefined : styles.warning}>
        {isConnected ? texts.connected : texts.notConnected}
      </small>
    </>
  );
}

function LeftOut({ skipped }: Pick<SendPlan, 'skipped'>) {
  const texts = useTexts(summaryTexts);
  const form = useTexts(formTexts);
  const formats = useFormats();
  const counts = skipReasons.flatMap((reason) => {
    const count = skipped.filter((one) => one.reason === reason).length;
    return count === 0 ? [] : [{ reason, count }];
  });
  return (
    <section>
      <h2>{texts.leftOut(formats.number(skipped.length))}</h2>
      <ul>
        {counts.map(({ reason, count }) => (
          <li key={reason}>
            <b>{formats.number(count)}</b> {form[reason]}
          </li>
        ))}
      </ul>
    </section>
  );
}
