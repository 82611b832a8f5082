// A call of the journal, opened in its row: what became of it and what to do, and beside it what came.

import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useIsHere } from '../../app/use-is-here.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { CopyIcon } from '../../parts/copy-text.js';
import { JsonText, prettyJson } from '../../parts/json-text.js';
import { notify } from '../../parts/notices.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { refusalOf } from './call-routes.js';
import styles from './calls.module.css';
import { writeHeaders } from './header-lines.js';
import { CallDocument, ReplayCallDocument, type CallQuery } from './operations.js';
import { outcomeKinds } from './outcome-kinds.js';
import { callRowTexts } from './row-texts.js';
import { SignatureComparison } from './signature-comparison.js';
import { callsTexts } from './texts.js';
import { dryRunTexts } from './dry-run-texts.js';
import type { CallToTry } from './try-call.js';

export type Call = NonNullable<CallQuery['webhookDelivery']>;

interface CallDetailsProps {
  id: string;
  /** The words for its content, which its row may cut. */
  what: string;
  /** Opens another call. */
  onOpen: (id: string) => void;
  onReplayed: () => void;
  /** Opens the form with this call's content. */
  onTry: (call: CallToTry) => void;
}

/** Loads a call. A call that is not kept any more is null. */
export const useCall = (id: string | undefined) =>
  useLoaded(id, async () => (await askAgain(CallDocument, { id: id ?? '' })).webhookDelivery);

export function CallDetails({ id, what, ...rest }: CallDetailsProps) {
  const texts = useTexts(callsTexts);
  const { data, error, reload } = useCall(id);
  if (error !== undefined) return <LoadFailed error={error} onRetry={reload} />;
  if (data === undefined) return <Loading />;
  if (data === null) return <p role="status">{texts.removed}</p>;
  return (
    <section className={styles.details} aria-label={texts.call(data.route)}>
      <div className={styles.column}>
        <WhatBecame call={data} what={what} />
        <Acts call={data} {...rest} />
        <Facts call={data} onOpen={rest.onOpen} />
        <Replays call={data} onOpen={rest.onOpen} />
      </div>
      <div className={styles.column}>
        <SignatureComparison call={data} />
        <Content call={data} />
      </div>
    </section>
  );
}

const explained = [
  'SIGNATURE_INVALID',
  'VALIDATION_FAILED',
  'BAD_REQUEST',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'NOT_FOUND',
  'CONFLICT',
] as const;

/** Says why a call was refused, or what it was answered. */
function WhatBecame({ call: { reason, outcome, lead, message }, what }: { call: Call; what: string }) {
  const texts = useTexts(callsTexts);
  const refusal = refusalOf(reason);
  const code = explained.find((one) => one === refusal?.code);
  const title = outcome === 'REFUSED' ? texts.why : outcome === 'PARTIAL' ? texts.PARTIAL : texts.PROCESSED;
  return (
    <div className={styles.became}>
      <h2>{title}</h2>
      {(lead ?? message) !== null && <p dir="auto">{what}</p>}
      {outcome === 'PARTIAL' && <p>{texts.partialHint}</p>}
      {reason !== null && <p>{refusal === undefined || code === undefined ? reason : refusal.detail}</p>}
      {code !== undefined && <p>{texts[code]}</p>}
    </div>
  );
}

function Acts({ call, onOpen, onReplayed, onTry }: { call: Call } & Omit<CallDetailsProps, 'id' | 'what'>) {
  const texts = useTexts(callsTexts);
  const rowTexts = useTexts(callRowTexts);
  const dryRunText = useTexts(dryRunTexts);
  const [isAsking, setIsAsking] = useState(false);
  const isHere = useIsHere();
  const replay = async () => {
    const { replayWebhookDelivery: entry } = await ask(ReplayCallDocument, { id: call.id });
    notify(texts.replayed(texts[entry.outcome]));
    onReplayed();
    if (isHere()) onOpen(entry.id);
  };
  const toTry = callToTry(call);
  const { lead, isBodyComplete, reason, message } = call;
  return (
    <div className={styles.acts}>
      {isBodyComplete && (
        <Button icon="refresh" onClick={() => setIsAsking(true)}>
          {texts.replay}
        </Button>
      )}
      {isBodyComplete && toTry !== undefined && (
        <Button icon="check" onClick={() => onTry(toTry)}>
          {dryRunText.again}
        </Button>
      )}
      {lead !== null &&
        (message === null ? (
          <Link to="/leads/$id" params={{ id: lead.id }}>
            {rowTexts.openLead}
          </Link>
        ) : (
          <Link to="/inbox/$leadId" params={{ leadId: lead.id }}>
            {rowTexts.openConversation}
          </Link>
        ))}
      {refusalOf(reason)?.code === 'SIGNATURE_INVALID' && (
        <Link to="/docs/$page" params={{ page: 'integrate' }} hash="sign-chat-webhooks">
          {rowTexts.howToSign}
        </Link>
      )}
      {isAsking && (
        <ConfirmDialog
          title={texts.replayTitle}
          text={texts.replayText}
          confirmLabel={texts.replay}
          kind="primary"
          onConfirm={replay}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}

/** Returns undefined if the body is not text, because the form could not show it. */
function callToTry({ route, headers, body }: Call): CallToTry | undefined {
  return body === null || body.includes('\uFFFD') ? undefined : { route, headers, body };
}

function Facts({ call, onOpen }: { call: Call; onOpen: (id: string) => void }) {
  const texts = useTexts(callsTexts);
  const rowTexts = useTexts(callRowTexts);
  const formats = useFormats();
  const { id, route, dialect, receivedAt, bodyBytes, isBodyComplete, headers, replayOfId, source } = call;
  const sender = headers['user-agent'];
  const facts: [name: string, value: ReactNode][] = [
    [rowTexts.address, <code key="route">{source === 'HISTORY' ? route : `POST ${route}`}</code>],
    [texts.dialect, dialect === null ? texts.unread : texts.nameOfDialect(dialect)],
    ...(typeof sender === 'string' ? [[rowTexts.sender, sender] as [string, ReactNode]] : []),
    [texts.received, formats.full(receivedAt)],
    [texts.size, `${formats.bytes(bodyBytes)} ${isBodyComplete ? '' : texts.cut}`],
    [rowTexts.id, <code key="id">{id}</code>],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {replayOfId !== null && (
        <div>
          <dt>{texts.replayOf}</dt>
          <dd>
            <Button kind="quiet" onClick={() => onOpen(replayOfId)}>
              {texts.showFirst}
            </Button>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Replays({ call: { replays }, onOpen }: { call: Call; onOpen: (id: string) => void }) {
  const texts = useTexts(callsTexts);
  const formats = useFormats();
  if (replays.length === 0) return null;
  return (
    <section>
      <h3>{texts.replays}</h3>
      <ul>
        {replays.map((replay) => (
          <li key={replay.id}>
            <Badge kind={outcomeKinds[replay.outcome]}>{texts[replay.outcome]}</Badge>{' '}
            <Button kind="quiet" onClick={() => onOpen(replay.id)}>
              {formats.full(replay.receivedAt)}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows the headers and the body in one box, and the answer below. */
function Content({ call: { headers, body, bodyBase64, result } }: { call: Call }) {
  const texts = useTexts(callsTexts);
  if (body === null || bodyBase64 === null) return <p>{texts.removed}</p>;
  const isText = !body.includes('\uFFFD');
  return (
    <>
      <div className={styles.raw}>
        <pre role="region" aria-label={texts.headers} tabIndex={0} className={styles.headers}>
          <code>{writeHeaders(headers)}</code>
        </pre>
        {isText ? null : <small>{texts.bodyInBase64}</small>}
        {body === '' ? (
          <p>{texts.emptyBody}</p>
        ) : (
          <JsonText label={texts.body} text={isText ? prettyJson(body) : bodyBase64} />
        )}
        <CopyIcon label={texts.copyBody} value={isText ? body : bodyBase64} />
      </div>
      {isText && body !== '' && (
        <details>
          <summary>{texts.bytesHint}</summary>
          <JsonText label={texts.bytesHint} text={bodyBase64} />
        </details>
      )}
      {result !== null && (
        <details open>
          <summary>{texts.result}</summary>
          <JsonText label={texts.result} text={JSON.stringify(result, null, 2)} />
        </details>
      )}
    </>
  );
}
