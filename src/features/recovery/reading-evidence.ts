// Judges an instance's health by a reading of its history: by messages that no webhook brought, and by sends that were accepted and are
// neither acknowledged nor in the history. liveness.service.ts judges silence.

import type { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { InstanceHealthService } from '../chat-instances/instance-health.service.js';
import type { HistorySource, Reading } from './history-reader.js';
import {
  hasKeptHistory,
  selectHeardSince,
  selectSends,
  type InstanceStanding,
  type SentMessage,
} from './recovery.sql.js';

export interface ReadingEvidenceOptions {
  database: Database;
  health: InstanceHealthService;
  /** The age in milliseconds from which a message's webhook is missed. */
  webhookGraceMs: number;
}

/** The reading that is weighed. */
export interface ReadSpan {
  source: Pick<HistorySource, 'tenantId' | 'instanceId'>;
  standing: InstanceStanding;
  from: Date;
  to: Date;
}

export interface Findings {
  /** The times at which leads wrote messages that no webhook brought while the instance was connected, the oldest first. */
  missed: readonly Date[];
  /** A webhook has brought a message since the last one that was missed, and nothing is missing. */
  hearsAgain: boolean;
  /** Our newest sends, of which the gateway knows nothing. */
  lostSends: readonly SentMessage[];
  /** A send since the instance was degraded is known to the network. */
  sendsAgain: boolean;
}

/** The age from which a send is judged. Before that, a gateway may not have stored it yet. */
const sendAgeMs = 5 * 60_000;
/** The time in which a connection comes up: a message written meanwhile may have no webhook. */
const settlingMs = 10_000;
const sendsLookedAt = 200;
/** A single lost send may be a fault of that message. */
const leastLostSends = 2;
const historyProvenMs = 7 * 86_400_000;
/** The pause of an instance that loses sends. Then one message tests it. */
const pauseMs = 15 * 60_000;

export class ReadingEvidence {
  constructor(private readonly options: ReadingEvidenceOptions) {}

  /** Runs outside of transactions. Finds nothing for an instance that is not connected. */
  async gather({ source, standing, from, to }: ReadSpan, reading: Reading): Promise<Findings> {
    if (!standing.isConnected) return nothing;
    const missed = this.missedOf(standing, reading);
    const values = [source.tenantId, source.instanceId];
    const [heard] = await this.options.database.query<{ heardAt: Date | null }>(selectHeardSince, [
      ...values,
      new Date(Math.max(from.getTime(), standing.degradedAt?.getTime() ?? 0)),
      reading.readTo,
    ]);
    const isAll = reading.refusal === undefined && reading.readTo > to;
    const hearsAgain = isAll && missed.length === 0 && heard?.heardAt != null;
    return { missed, hearsAgain, ...(await this.judgeSends(values, standing, from, reading)) };
  }

  /** Makes the instance DEGRADED, or restores it. @returns true if it was found to be in trouble */
  async weigh(tx: Transaction, { source, standing }: ReadSpan, found: Findings): Promise<boolean> {
    const { health } = this.options;
    const { instanceId } = source;
    if (found.sendsAgain) await health.restore(tx, instanceId, ['SENDS_LOST']);
    if (found.hearsAgain) await health.restore(tx, instanceId, ['MESSAGES_MISSED', 'SILENT']);
    if (found.missed.length > 0)
      await health.degrade(tx, { instanceId, code: 'MESSAGES_MISSED', reason: missedReason(found.missed) });
    if (found.lostSends.length > 0)
      await health.degrade(tx, { instanceId, code: 'SENDS_LOST', reason: lostReason(found.lostSends), pauseMs });
    const isTroubled = found.missed.length > 0 || found.lostSends.length > 0;
    return isTroubled || (standing.healthCode !== null && !found.hearsAgain && !found.sendsAgain);
  }

  private missedOf({ connectedAt, now }: InstanceStanding, { recoveredInbound }: Reading): Date[] {
    const until = now.getTime() - this.options.webhookGraceMs;
    return recoveredInbound.filter((at) => at.getTime() >= settledAt(connectedAt) && at.getTime() <= until);
  }

  // The newest sends of the present connection tell, wherever the span that was read ends.
  private async judgeSends(
    [tenantId, instanceId]: readonly string[],
    { now, connectedAt, degradedAt }: InstanceStanding,
    from: Date,
    { here, seenIds, readTo }: Reading,
  ): Promise<Pick<Findings, 'lostSends' | 'sendsAgain'>> {
    const { database } = this.options;
    const until = new Date(now.getTime() - sendAgeMs);
    const newest = await database.query<SentMessage>(selectSends, [tenantId, instanceId, from, until, sendsLookedAt]);
    const sends = newest.filter(({ sentAt }) => sentAt.getTime() >= settledAt(connectedAt));
    const firstKnown = sends.findIndex(
      ({ externalId, status }) => status !== 'SENT' || seenIds?.has(externalId) !== false,
    );
    const lost = firstKnown === -1 ? sends : sends.slice(0, firstKnown);
    const known = firstKnown === -1 ? undefined : sends[firstKnown];
    const sendsAgain = known !== undefined && degradedAt !== null && known.sentAt > degradedAt;
    const wereAllRead = lost.every(({ sentAt }) => sentAt <= readTo);
    if (lost.length < leastLostSends || !wereAllRead) return { lostSends: [], sendsAgain };
    // A gateway that keeps no history says nothing by its absence.
    const provenSince = new Date(Math.max(now.getTime() - historyProvenMs, connectedAt?.getTime() ?? 0));
    const isKept = here > 0 || (await database.query(hasKeptHistory, [tenantId, instanceId, provenSince])).length > 0;
    return { lostSends: isKept ? lost : [], sendsAgain };
  }
}

function settledAt(connectedAt: Date | null): number {
  return (connectedAt?.getTime() ?? 0) + settlingMs;
}

const nothing: Findings = { missed: [], hearsAgain: false, lostSends: [], sendsAgain: false };

function missedReason(missed: readonly Date[]): string {
  const [first, last] = [missed[0], missed.at(-1)].map((time) => time?.toISOString().slice(0, 19).concat('Z'));
  const what = missed.length === 1 ? `1 message of ${first}` : `${missed.length} messages from ${first} to ${last}`;
  const advice =
    "Check the webhook of this instance at its gateway: the address, the tenant's key and the event for messages.";
  return `No webhook brought ${what}: recovered from the gateway's history. ${advice}`;
}

function lostReason(lost: readonly SentMessage[]): string {
  const since = lost.at(-1)?.sentAt.toISOString().slice(0, 19).concat('Z');
  const what = `The gateway accepted ${lost.length} messages since ${since} that were neither acknowledged nor stand in its history`;
  return `${what}. Sending is paused. Look at the phone and connect the instance again.`;
}
