// A call from another system: its request and answer, the reason for a refusal, and a button that runs it again.

import { useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { CopyButton } from '../../parts/copy-text.js';
import { Dialog } from '../../parts/dialog.js';
import { JsonText, prettyJson } from '../../parts/json-text.js';
import { notify } from '../../parts/notices.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { refusalOf } from './call-routes.js';
import styles from './calls.module.css';
import { CallDocument, ReplayCallDocument, type CallQuery } from './operations.js';
import { outcomeKinds } from './outcome-kinds.js';
import { SignatureTest } from './signature-test.js';
import { callsTexts } from './texts.js';
import { dryRunTexts } from './dry-run-texts.js';
import type { CallToTry } from './try-call.js';

type Call = NonNullable<CallQuery['webhookDelivery']>;

interface CallDialogProps {
  id: string;
  onClose: () => void;
  /** Opens the dialog for another call. */
  onOpen: (id: string) => void;
  onReplayed: () => void;
  /** Opens the form with this call's content. */
  onTry: (call: CallToTry) => void;
}

export function CallDialog({ id, onClose, onOpen, onReplayed, onTry }: CallDialogProps) {
  const texts = useTexts(callsTexts);
  const dryRunText = useTexts(dryRunTexts);
  const [isAsking, setIsAsking] = useState(false);
  const { data, error, isLoading, reload } = useLoaded(
    id,
    async () => (await askAgain(CallDocument, { id })).webhookDelivery,
  );
  const replay = async () => {
    const { replayWebhookDelivery: entry } = await ask(ReplayCallDocument, { id });
    notify(texts.replayed(texts[entry.outcome]));
    onReplayed();
    onOpen(entry.id);
  };
  const toTry = data == null ? undefined : callToTry(data);
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={texts.call(data?.route ?? '')}
      actions={
        data?.isBodyComplete === true && (
          <>
            {toTry !== undefined && (
              <Button icon="check" onClick={() => onTry(toTry)}>
                {dryRunText.again}
              </Button>
            )}
            <Button kind="primary" icon="refresh" onClick={() => setIsAsking(true)}>
              {texts.replay}
            </Button>
          </>
        )
      }
    >
      {error !== undefined && <LoadFailed error={error} onRetry={reload} />}
      {isLoading && data === undefined && <Loading />}
      {data === null && <p role="status">{texts.removed}</p>}
      {data != null && <Contents call={data} onOpen={onOpen} />}
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
    </Dialog>
  );
}

/** Returns undefined if the body is not text, because the form could not show it. */
function callToTry({ route, headers, body }: Call): CallToTry | undefined {
  return body === null || body.includes('\uFFFD') ? undefined : { route, headers, body };
}

function Contents({ call, onOpen }: { call: Call; onOpen: (id: string) => void }) {
  const texts = useTexts(callsTexts);
  const formats = useFormats();
  const { outcome, dialect, receivedAt, bodyBytes, isBodyComplete, headers, result, replayOfId, replays } = call;
  return (
    <div className={styles.call}>
      <dl className={styles.facts}>
        <dt>{texts.outcome}</dt>
        <dd>
          <Badge kind={outcomeKinds[outcome]}>{texts[outcome]}</Badge>
        </dd>
        <dt>{texts.received}</dt>
        <dd>{formats.full(receivedAt)}</dd>
        <dt>{texts.dialect}</dt>
        <dd>{dialect === null ? texts.unread : texts.nameOfDialect(dialect)}</dd>
        <dt>{texts.size}</dt>
        <dd>
          {formats.bytes(bodyBytes)} {!isBodyComplete && texts.cut}
        </dd>
        {replayOfId !== null && (
          <>
            <dt>{texts.replayOf}</dt>
            <dd>
              <Button kind="quiet" onClick={() => onOpen(replayOfId)}>
                {texts.showFirst}
              </Button>
            </dd>
          </>
        )}
      </dl>
      <WhyRefused call={call} />
      <section className={styles.section}>
        <h3>{texts.headers}</h3>
        <JsonText label={texts.headers} text={JSON.stringify(headers, null, 2)} />
      </section>
      <Body call={call} />
      {result !== null && (
        <section className={styles.section}>
          <h3>{texts.result}</h3>
          <JsonText label={texts.result} text={JSON.stringify(result, null, 2)} />
        </section>
      )}
      {replays.length > 0 && (
        <section className={styles.section}>
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
      )}
    </div>
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

function WhyRefused({ call }: { call: Call }) {
  const texts = useTexts(callsTexts);
  const { reason, outcome } = call;
  if (reason === null) return outcome === 'PARTIAL' ? <p className={styles.why}>{texts.partialHint}</p> : null;
  const refusal = refusalOf(reason);
  const code = explained.find((one) => one === refusal?.code);
  return (
    <section className={styles.why}>
      <h3>{outcome === 'REFUSED' ? texts.why : texts.remark}</h3>
      <p>{refusal === undefined || code === undefined ? reason : refusal.detail}</p>
      {code !== undefined && <p>{texts[code]}</p>}
      {code === 'SIGNATURE_INVALID' && <SignatureTest call={call} />}
    </section>
  );
}

function Body({ call: { body, bodyBase64 } }: { call: Call }) {
  const texts = useTexts(callsTexts);
  if (body === null || bodyBase64 === null) return <p>{texts.removed}</p>;
  const isText = !body.includes('\uFFFD');
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h3>{isText ? texts.body : texts.bodyInBase64}</h3>
        <CopyButton label={texts.body} value={isText ? body : bodyBase64} />
      </div>
      {body === '' ? (
        <p>{texts.emptyBody}</p>
      ) : (
        <JsonText label={texts.body} text={isText ? prettyJson(body) : bodyBase64} />
      )}
      {isText && body !== '' && (
        <details>
          <summary>{texts.bytesHint}</summary>
          <JsonText label={texts.bytesHint} text={bodyBase64} />
        </details>
      )}
    </section>
  );
}
