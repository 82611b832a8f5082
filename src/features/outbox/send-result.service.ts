// Stores send results in batches, so that a fast gateway does not wait for a transaction for each message. It decides when a failed send is
// retried. rate-limited-claim.service.ts decides which messages may leave.

import { endPauses, pauseInstance } from '../chat-instances/chat-instance.sql.js';
import type { SendResult } from '../../providers/chat-gateway.js';
import { Columns, Row } from '../../platform/database/columns.js';
import type { Database, NamedStatement } from '../../platform/database/database.js';
import { MicroBatcher } from '../../platform/jobs/micro-batcher.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import type { ReportedMessageService } from '../messages/reported-message.service.js';
import { emitStatusChanged, type MessageStatusService } from '../messages/status.service.js';
import type { MessageAtChange } from '../messages/message.sql.js';
import type { UnspentRefusal } from './channel-number/channel-number.service.js';
import { leaveUnconfirmed } from './outbox.sql.js';
import type { ClaimedMessage } from './rate-limited-claim.service.js';

/**
 * - `repeatable`: it may have been sent, and sending it again under its key is safe.
 * - `unconfirmed`: it may have been sent, and this cannot be found out: an operator decides.
 */
export type SendOutcome =
  SendResult | UnspentRefusal | { outcome: 'repeatable' | 'unconfirmed'; code: string; detail: string };

export interface SendResultOptions {
  database: Database;
  transactor: Transactor;
  statuses: MessageStatusService;
  reportedMessages: ReportedMessageService;
  metrics: Metrics;
}

interface Answer {
  message: ClaimedMessage;
  outcome: SendOutcome;
  answeredAtMs: number;
}
type Accepted = Answer & { outcome: Extract<SendOutcome, { outcome: 'accepted' }> };
type Refusal = Exclude<SendOutcome, { outcome: 'accepted' }>;

/** A gateway may still be at work on a send that it did not answer: it is asked after this time. */
export const confirmAfterMs = 60_000;

/** A message is given up after this many calls to the gateway. */
export const maxAttempts = 12;

const firstDelayMs = 1_000;
const maxDelayMs = 300_000;
const maxRetryAfterMs = 86_400_000;
const minPauseMs = 30_000;
const minRestMs = 1_000;

const bounds = {
  maxBatchSize: 100,
  maxBatchWeight: 100,
  maxInFlight: 1,
  maxWaiting: 100_000,
  maxWaitingWeight: 100_000,
};

/** The attempt that a worker was granted. */
interface Grant {
  id: string;
  attempt: number;
}

interface FinishedAttempt extends Grant {
  outcome: string;
  detail: string;
  /** The time of the answer, by this process's monotonic clock. */
  answeredAtMs: number;
}

const finishedAttempt = new Row<FinishedAttempt>({
  message_id: ['uuid', ({ id }) => id],
  number: ['int', ({ attempt }) => attempt],
  outcome: ['text', ({ outcome }) => outcome],
  detail: ['text', ({ detail }) => detail],
  ago_ms: ['float', ({ answeredAtMs }) => performance.now() - answeredAtMs],
});

/** $1 tenant, `finishedAttempt`. */
const finishAttempt: NamedStatement = {
  name: 'finish-attempt',
  text: `UPDATE send_attempts a SET finished_at = clock_timestamp() - f.ago_ms * interval '1 ms', outcome = f.outcome, detail = f.detail
    FROM (VALUES (${finishedAttempt.values})) AS f (${finishedAttempt.names})
    WHERE a.tenant_id = $1 AND a.message_id = f.message_id AND a.number = f.number`,
};

/** $1 tenant, $2 message, $3 attempt: it asked the gateway to send nothing, and leaves its place in the limit's window. */
const deleteAttempt: NamedStatement = {
  name: 'delete-attempt',
  text: 'DELETE FROM send_attempts WHERE tenant_id = $1 AND message_id = $2 AND number = $3',
};

/** $1 tenant, $2 message. */
const deleteOutboxEntry: NamedStatement = {
  name: 'delete-outbox-entry',
  text: 'DELETE FROM outbox_entries WHERE tenant_id = $1 AND message_id = $2',
};

/** $1 tenant, $2 message, $3 attempt → a row unless a later attempt has the message. */
const lockOutboxEntry: NamedStatement = {
  name: 'lock-outbox-entry',
  text: `SELECT message_id FROM outbox_entries
    WHERE tenant_id = $1 AND message_id = $2 AND attempt_count = $3 FOR UPDATE`,
};

/** $1 tenant, $2 message, $3 delay in ms, $4 whether it may have been sent all the same: then from when this attempt was granted on. */
const postponeOutboxEntry: NamedStatement = {
  name: 'postpone-outbox-entry',
  text: `UPDATE outbox_entries o SET lease_until = NULL, due_at = now() + $3::int * interval '1 ms',
      unconfirmed_since = CASE WHEN $4 THEN coalesce(o.unconfirmed_since, (
        SELECT granted_at FROM send_attempts
        WHERE tenant_id = o.tenant_id AND message_id = o.message_id AND number = o.attempt_count), now()) END
    WHERE o.tenant_id = $1 AND o.message_id = $2`,
};

const grantColumns = new Columns<Grant>({
  message_id: ['uuid', ({ id }) => id],
  attempt: ['int', ({ attempt }) => attempt],
});

/** $1 tenant, `grantColumns`, why → attempts that were granted and not made, unless a later one has the message. */
const releaseClaims: NamedStatement = {
  name: 'release-claims',
  text: `WITH unused AS (
      UPDATE send_attempts a SET finished_at = clock_timestamp(), outcome = 'retried',
        detail = 'not sent: ' || $${grantColumns.next}::text
      FROM ${grantColumns.rows('w')}
      WHERE a.tenant_id = $1 AND a.message_id = w.message_id AND a.number = w.attempt
    )
    UPDATE outbox_entries o SET lease_until = NULL FROM ${grantColumns.rows('w')}
    WHERE o.tenant_id = $1 AND o.message_id = w.message_id AND o.attempt_count = w.attempt`,
};

/** Why a message that was claimed is given back without a call that sends it. */
type ReleaseReason = 'the worker ended' | 'it was too late';

export class SendResultService {
  private readonly microBatcher: MicroBatcher<Answer, void>;

  constructor(private readonly options: SendResultOptions) {
    this.microBatcher = new MicroBatcher<Answer, void>({
      write: (tenantId, answers) => this.store(tenantId, answers),
      weightOf: () => 1,
      name: 'send answers',
      meter: options.metrics.microBatcher('send answers'),
      ...bounds,
    });
  }

  /**
   * Stores the gateway's answer: sent, to be retried, waiting, or failed. An acceptance counts whenever it is learned; a refusal only while
   * no later attempt has the message.
   */
  async settle(tenantId: string, message: ClaimedMessage, outcome: SendOutcome): Promise<void> {
    await this.microBatcher.submit(tenantId, { message, outcome, answeredAtMs: performance.now() });
  }

  /** Gives messages back that were claimed and not sent. Their attempts say why. */
  async release(tenantId: string, messages: readonly ClaimedMessage[], reason: ReleaseReason): Promise<void> {
    if (messages.length === 0) return;
    await this.options.database.query(releaseClaims, [tenantId, ...grantColumns.valuesOf(messages), reason]);
  }

  private async store(tenantId: string, answers: Answer[]): Promise<void[]> {
    await this.options.transactor.run(tenantId, async (tx) => {
      const accepted = answers.filter(isAccepted);
      if (accepted.length > 0) await this.storeAccepted(tx, accepted);
      for (const { message, outcome, answeredAtMs } of answers)
        if (outcome.outcome !== 'accepted') await this.storeRefusal(tx, message, outcome, answeredAtMs);
    });
    return answers.map(() => undefined);
  }

  private async storeAccepted(tx: Transaction, accepted: readonly Accepted[]): Promise<void> {
    const sends = accepted.map(({ message: { id, instanceId, attempt }, outcome: { externalId }, answeredAtMs }) => {
      return { id, instanceId, attempt, externalId, answeredAtMs };
    });
    await this.options.statuses.setSent(tx, sends);
    await this.endPauses(tx, accepted);
    await this.learnNumbers(tx, accepted);
  }

  private async endPauses(tx: Transaction, accepted: readonly Accepted[]): Promise<void> {
    const back = accepted.filter(({ message }) => message.wasPaused).map(({ message }) => message.instanceId);
    if (back.length > 0) await tx.query(endPauses, [tx.tenantId, back]);
  }

  // Networks rewrite numbers: the number under which the lead answers is its number as well.
  private async learnNumbers(tx: Transaction, accepted: readonly Accepted[]): Promise<void> {
    const reveals = accepted.flatMap(({ message, outcome: { chat } }) =>
      chat === undefined ? [] : [{ messageId: message.id, contact: [{ kind: 'PHONE', value: chat } as const] }],
    );
    await this.options.reportedMessages.learnRecipients(tx, reveals);
  }

  private async storeRefusal(
    tx: Transaction,
    message: ClaimedMessage,
    refusal: Refusal,
    answeredAtMs: number,
  ): Promise<void> {
    const detail = `${refusal.code}: ${refusal.detail}`;
    const outcome = refusal.outcome === 'repeatable' ? 'unknown' : refusal.outcome;
    const { id, attempt } = message;
    if ('isUnspent' in refusal) await tx.query(deleteAttempt, [tx.tenantId, id, attempt]);
    else {
      const finished = finishedAttempt.valuesOf({ id, attempt, outcome, detail, answeredAtMs });
      await tx.query(finishAttempt, [tx.tenantId, ...finished]);
    }
    const held = await tx.query(lockOutboxEntry, [tx.tenantId, message.id, message.attempt]);
    if (held.length === 0) return;
    if (await this.postpone(tx, message, refusal)) return;
    if (refusal.outcome === 'unconfirmed') await this.leaveUnconfirmed(tx, message, refusal);
    else await this.fail(tx, message, refusal);
    await tx.query(deleteOutboxEntry, [tx.tenantId, message.id]);
  }

  /** @returns false when the message leaves the outbox */
  private async postpone(tx: Transaction, message: ClaimedMessage, refusal: Refusal): Promise<boolean> {
    const delayMs = delayOf(message, refusal);
    if (delayMs === undefined) return false;
    const restMs = instanceRestOf(refusal, delayMs);
    if (restMs !== undefined) {
      const reason = `${refusal.code}: ${refusal.detail}`;
      await tx.query(pauseInstance, [tx.tenantId, message.instanceId, restMs, reason]);
    }
    // The messages of a paused instance are due at once: the pause itself holds them.
    const dueInMs = refusal.outcome === 'paused' ? 0 : delayMs;
    await tx.query(postponeOutboxEntry, [tx.tenantId, message.id, dueInMs, refusal.outcome === 'unknown']);
    return true;
  }

  private async leaveUnconfirmed(tx: Transaction, message: ClaimedMessage, { code, detail }: Refusal): Promise<void> {
    const [snapshot] = await tx.query<MessageAtChange>(leaveUnconfirmed, [tx.tenantId, [message.id], code, detail]);
    if (snapshot !== undefined) emitStatusChanged(tx, snapshot);
  }

  private async fail(tx: Transaction, message: ClaimedMessage, { code, detail }: Refusal): Promise<void> {
    const failure = { status: 'FAILED' as const, occurredAt: new Date(), source: 'worker' as const };
    await this.options.statuses.set(tx, [message.id], { ...failure, providerCode: code, detail });
  }
}

/** The time in milliseconds that a message, or with `paused` its whole instance, waits; undefined where it is not retried. */
function delayOf({ failedAttempts }: ClaimedMessage, refusal: Refusal): number | undefined {
  const attempts = failedAttempts + 1;
  if (refusal.outcome === 'paused') return pauseMs(refusal.retryAfterSeconds);
  if (refusal.outcome === 'unknown') return confirmAfterMs;
  const isPassing = refusal.outcome === 'temporary' || refusal.outcome === 'repeatable';
  if (!isPassing || attempts >= maxAttempts) return undefined;
  return retryDelayMs(attempts, 'retryAfterSeconds' in refusal ? refusal.retryAfterSeconds : undefined);
}

/** The time in milliseconds that the whole instance waits when the message itself waits `delayMs`; undefined where it does not wait. */
function instanceRestOf(refusal: Refusal, delayMs: number): number | undefined {
  if (refusal.outcome === 'paused') return delayMs;
  if (refusal.outcome !== 'temporary' || refusal.isInstanceBusy === undefined) return undefined;
  return instanceRestMs(refusal.retryAfterSeconds);
}

function isAccepted(answer: Answer): answer is Accepted {
  return answer.outcome.outcome === 'accepted';
}

/**
 * Exponential backoff with jitter: before attempt n + 1, half to all of 1 s · 2^(n−1), at most 5 minutes; never sooner than
 * the gateway asked for with `Retry-After`, of which at most a day is taken.
 */
export function retryDelayMs(attempt: number, retryAfterSeconds = 0, random: () => number = Math.random): number {
  const backoffMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  const jitteredMs = Math.round(backoffMs * (0.5 + random() / 2));
  return Math.max(jitteredMs, Math.min(retryAfterSeconds * 1_000, maxRetryAfterMs));
}

/** The pause in milliseconds of an instance that its gateway reported as out, before one message tests it: 30 s, or what was asked for. */
function pauseMs(retryAfterSeconds = 0): number {
  return Math.max(minPauseMs, Math.min(retryAfterSeconds * 1_000, maxRetryAfterMs));
}

/**
 * The rest in milliseconds of an instance that was asked to slow down: a second, or what was asked for, of which at most a day is taken.
 */
function instanceRestMs(retryAfterSeconds = 0): number {
  return Math.max(minRestMs, Math.min(retryAfterSeconds * 1_000, maxRetryAfterMs));
}
