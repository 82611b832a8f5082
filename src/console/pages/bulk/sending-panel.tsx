// Shows a bulk send while it leaves. Refused recipients are named, and a part that was sent is never sent again.

import { useEffect, useRef } from 'react';
import { RequestError, explain, requestLine } from '../../api/request-error.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useIsHere } from '../../app/use-is-here.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Progress } from '../../parts/progress.js';
import { Table } from '../../parts/table.js';
import styles from './bulk.module.css';
import { endOfSend, forgetSending, sendWork, startSending, workOf } from './running-send.js';
import { problemsOfPart, withoutRecipients, type RecipientProblem, type Sending } from './sending.js';
import { bulkTexts } from './texts.js';

interface PanelProps {
  initial: Sending;
  /** True for a send of an earlier visit. Unless it is still under way, the panel asks before it continues. */
  isInterrupted?: boolean;
  onSent: (ids: readonly string[]) => void;
  /** Returns to the form. Parts that were already sent stay sent. */
  onGivenUp: () => void;
}

interface Failure {
  text: string;
  detail: string | undefined;
  recipients: RecipientProblem[];
}

function useSending({ initial, isInterrupted = false, onSent }: PanelProps) {
  const { user } = useStore(sessionState);
  const userId = user?.id ?? '';
  const now = workOf(useStore(sendWork), userId);
  // A send that is complete stays shown until its page is here.
  const last = useRef(now);
  if (now !== undefined) last.current = now;
  const work = last.current;
  const isHere = useIsHere();
  const sending = work?.sending ?? initial;
  const follow = async (ended: ReturnType<typeof endOfSend>) => {
    const ids = await ended;
    if (ids !== undefined && isHere()) onSent(ids);
  };
  const run = (from: Sending) => follow(startSending(userId, from));
  const retryWithout = (recipients: readonly RecipientProblem[]) => {
    const index = sending.parts.findIndex(({ bulkSendId }) => bulkSendId === undefined);
    const part = sending.parts[index];
    if (part === undefined) return;
    const places = new Set(recipients.map(({ place }) => place));
    void run({ ...sending, parts: sending.parts.with(index, withoutRecipients(part, places)) });
  };
  useEffect(() => {
    void (isInterrupted ? follow(endOfSend(userId)) : run(initial));
    // The effect runs once, with the initial sending.
  }, []);
  return {
    sending,
    failure: work?.error === undefined ? undefined : failureOf(work.error, sending),
    isBusy: work?.isBusy === true,
    run,
    retryWithout,
    forget: () => forgetSending(userId),
  };
}

function failureOf(error: unknown, sending: Sending): Failure {
  const part = sending.parts.find(({ bulkSendId }) => bulkSendId === undefined);
  const fields = error instanceof RequestError ? error.fields : [];
  const recipients = part === undefined ? [] : problemsOfPart(part, fields);
  return { text: explain(error), detail: requestLine(error), recipients };
}

export function SendingPanel(props: PanelProps) {
  const { isInterrupted = false, onGivenUp } = props;
  const texts = useTexts(bulkTexts);
  const formats = useFormats();
  const work = useSending(props);
  const { sending, failure, isBusy } = work;
  const { parts, title } = sending;
  const sent = parts.filter(({ bulkSendId }) => bulkSendId !== undefined).length;
  const count = parts.reduce((sum, { recipients }) => sum + recipients.length, 0);
  return (
    <section className={styles.card} aria-label={texts.sendingTitle}>
      <h2 dir="auto">{isBusy ? texts.sendingTitle : isInterrupted ? texts.interrupted(title) : texts.notSent}</h2>
      {isInterrupted && !isBusy && failure === undefined && <p>{texts.interruptedHint(formats.number(count))}</p>}
      {isBusy && (
        <Progress
          label={texts.sendingTitle}
          {...(parts.length > 1 && { value: sent / parts.length })}
          text={texts.partOf(formats.number(Math.min(sent + 1, parts.length)), formats.number(parts.length))}
        />
      )}
      {failure !== undefined && <FailureShown failure={failure} />}
      {sent > 0 && !isBusy && (
        <p role="status">{texts.partsSent(formats.number(sent), formats.number(parts.length))}</p>
      )}
      {!isBusy && (
        <PanelActions work={work} retryText={isInterrupted ? texts.goOn : texts.tryAgain} onGivenUp={onGivenUp} />
      )}
    </section>
  );
}

interface ActionsProps {
  work: ReturnType<typeof useSending>;
  retryText: string;
  onGivenUp: () => void;
}

function PanelActions({ work: { sending, failure, run, retryWithout, forget }, retryText, onGivenUp }: ActionsProps) {
  const texts = useTexts(bulkTexts);
  const formats = useFormats();
  const refused = failure?.recipients ?? [];
  const giveUp = () => {
    forget();
    onGivenUp();
  };
  return (
    <div className={styles.actions}>
      <Button onClick={giveUp}>{texts.giveUp}</Button>
      {refused.length > 0 && (
        <Button onClick={() => retryWithout(refused)}>{texts.leaveOutAndSend(formats.number(refused.length))}</Button>
      )}
      <Button kind="primary" onClick={() => void run(sending)}>
        {retryText}
      </Button>
    </div>
  );
}

function FailureShown({ failure: { text, detail, recipients } }: { failure: Failure }) {
  const texts = useTexts(bulkTexts);
  return (
    <div role="alert" className={styles.stack}>
      <p className={styles.problem}>
        {recipients.length > 0 ? texts.refused : text} <small>{detail}</small>
      </p>
      {recipients.length > 0 && (
        <Table label={texts.refused} columns={[{ name: texts.lead }, { name: texts.reason }]}>
          {recipients.map(({ place, label, message }) => (
            <tr key={`${place} ${message}`}>
              <td>
                <bdi>{label}</bdi>
              </td>
              <td className={styles.reason}>{message}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
