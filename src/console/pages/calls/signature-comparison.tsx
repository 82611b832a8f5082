// The signature of a refused call above the one that was expected, as a dry run compares them, and a check of another secret.

import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { CopyIcon } from '../../parts/copy-text.js';
import type { Call } from './call-details.js';
import { refusalOf } from './call-routes.js';
import styles from './calls.module.css';
import { dryRunTexts } from './dry-run-texts.js';
import { JudgeCallDocument } from './operations.js';
import { bytesOf } from './signature.js';
import { SignatureTest } from './signature-test.js';
import { callsTexts } from './texts.js';

const shownDifference = 6;

export function SignatureComparison({ call }: { call: Call }) {
  const texts = useTexts(callsTexts);
  const dryRunText = useTexts(dryRunTexts);
  const isWrong = refusalOf(call.reason)?.code === 'SIGNATURE_INVALID';
  const { id, route, headers, body } = call;
  // The signature is of all bytes as they came.
  const isKept = isWrong && body !== null && !body.includes('\uFFFD') && isWhole(call);
  const { data: signature } = useLoaded(
    isKept ? id : undefined,
    async () =>
      (await askAgain(JudgeCallDocument, { route, headers: textsOf(headers), body: body ?? '' })).tryWebhook.signature,
  );
  if (!isWrong) return null;
  return (
    <div className={styles.signature}>
      {signature != null && (
        <dl>
          <Line name={texts.receivedSignature} value={signature.given} other={signature.expected} tone="late" />
          <Line name={texts.expectedSignature} value={signature.expected} other={signature.given ?? ''} tone="good" />
        </dl>
      )}
      {signature?.differs != null && <p>{dryRunText[signature.differs]}</p>}
      <details>
        <summary>{texts.checkSecret}</summary>
        <SignatureTest call={call} />
      </details>
    </div>
  );
}

const isWhole = ({ bodyBase64, bodyBytes, isBodyComplete }: Call) =>
  isBodyComplete && bytesOf(bodyBase64 ?? '').length === bodyBytes;

const textsOf = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => typeof value === 'string'));

interface LineProps {
  name: string;
  value: string | null;
  other: string;
  tone: 'late' | 'good';
}

/** Shows a signature, with the place where it begins to differ from the other. */
function Line({ name, value, other, tone }: LineProps) {
  const texts = useTexts(callsTexts);
  const shown = value ?? texts.noSignature;
  const at = Array.from(shown).findIndex((letter, index) => letter !== other[index]);
  const from = at === -1 ? shown.length : at;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>
          {shown.slice(0, from)}
          <mark data-tone={tone}>{shown.slice(from, from + shownDifference)}</mark>
          {shown.slice(from + shownDifference)}
        </code>
        {value !== null && <CopyIcon label={name} value={value} />}
      </dd>
    </div>
  );
}
