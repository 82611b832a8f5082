// Makes deliveries of the tenants' events, in the order of their logs. Each endpoint has its own position, written in the transaction of
// its deliveries: a process that dies loses and skips nothing, and writers of events know nothing of endpoints.

import { LRUCache } from 'lru-cache';
import { boundedTo } from '../../platform/expiring-cache.js';
import type { Database, SqlRunner } from '../../platform/database/database.js';
import { newRecordId } from '../../platform/database/record-id.js';
import {
  deliveryColumns,
  holdEndpoints,
  insertDeliveries,
  maxFedEvents,
  selectFedEvents,
  selectFirstEvent,
  setPositions,
  type FedEvent,
  type HeldEndpoint,
  type NewDelivery,
} from './endpoint-feed.sql.js';

export interface EndpointFeedOptions {
  database: Database;
  /** The most deliveries of an endpoint that may wait. With more, its position stays where it is: the log keeps the rest. */
  maxPending?: number;
}

const defaultMaxPending = 2_000;
const maxRemembered = 10_000;
/** The most events, of whatever type, that are looked through in one transaction. */
const maxSeen = 20_000;

/** The part of a tenant's log that one statement read. */
interface Stretch {
  afterSeq: number;
  events: FedEvent[];
  /** Everything up to here that an endpoint may want is among the events. */
  untilSeq: number;
}

interface Reader {
  id: string;
  types: ReadonlySet<string>;
  position: number;
  /** This process has fed the endpoint further: the database has lost events since, by a failover or a restored backup. */
  isSetBack: boolean;
  room: number;
}

export class EndpointFeedService {
  private readonly maxPending: number;
  /** How far this process has fed endpoints. */
  private readonly reached = new LRUCache<string, number>(boundedTo(maxRemembered));

  constructor(private readonly options: EndpointFeedOptions) {
    this.maxPending = options.maxPending ?? defaultMaxPending;
  }

  /**
   * Makes deliveries of the new events for the tenant's endpoints. Any number of processes may do so at once. Safe to repeat.
   * @returns whether there may be more
   */
  async feed(tenantId: string): Promise<boolean> {
    const { readers, fed, isMore } = await this.feedAll(tenantId);
    for (const [index, { id }] of readers.entries()) this.reached.set(id, fed[index]?.position ?? 0);
    return isMore;
  }

  private feedAll(tenantId: string): Promise<{ readers: Reader[]; fed: FedReader[]; isMore: boolean }> {
    return this.options.database.transaction(async (sql) => {
      const held = await sql.query<HeldEndpoint>(holdEndpoints, [tenantId, this.maxPending]);
      const readers = held
        .map((endpoint) => this.readerOf(endpoint))
        .filter(({ room }) => room > 0)
        .toSorted((a, b) => a.position - b.position);
      const headSeq = Number(held[0]?.headSeq ?? 0);
      if (readers.length === 0) return { readers, fed: [], isMore: false };
      const stretches = await readStretches(sql, tenantId, readers, headSeq);
      const follows = await readBeginning(sql, tenantId, stretches[0]?.afterSeq ?? headSeq, headSeq);
      const fed = readers.map((reader) => feedOne(reader, stretches, follows));
      const deliveries = fed.flatMap((one) => one.deliveries);
      if (deliveries.length > 0) await sql.query(insertDeliveries, [tenantId, ...deliveryColumns.valuesOf(deliveries)]);
      await sql.query(setPositions, [tenantId, readers.map(({ id }) => id), fed.map(({ position }) => position)]);
      return { readers, fed, isMore: fed.some(({ position, isFull }) => position < headSeq && !isFull) };
    });
  }

  private readerOf({ id, eventTypes, positionSeq, pending }: HeldEndpoint): Reader {
    const position = Number(positionSeq);
    const isSetBack = position < (this.reached.get(id) ?? 0);
    return { id, types: new Set(eventTypes), position, isSetBack, room: this.maxPending - pending };
  }
}

/**
 * Reads one stretch for all endpoints that are close together, and others for those further on. An endpoint that catches up does not hold
 * up the rest.
 * @param readers by their positions
 */
async function readStretches(
  sql: SqlRunner,
  tenantId: string,
  readers: readonly Reader[],
  headSeq: number,
): Promise<Stretch[]> {
  const types = [...new Set(readers.flatMap((reader) => [...reader.types]))];
  const stretches: Stretch[] = [];
  for (const { position } of readers)
    if (position >= (stretches.at(-1)?.untilSeq ?? 0))
      stretches.push(await readStretch(sql, tenantId, { afterSeq: position, headSeq, types }));
  return stretches;
}

async function readStretch(
  sql: SqlRunner,
  tenantId: string,
  { afterSeq, headSeq, types }: { afterSeq: number; headSeq: number; types: readonly string[] },
): Promise<Stretch> {
  const seenSeq = Math.min(headSeq, afterSeq + maxSeen);
  const events = await sql.query<FedEvent>(selectFedEvents, [tenantId, afterSeq, seenSeq, types]);
  const isCut = events.length === maxFedEvents;
  return { afterSeq, events, untilSeq: isCut ? Number(events.at(-1)?.seq) : seenSeq };
}

/**
 * The position behind which the log starts. It is read after the events, so that it covers all that was removed before.
 * @param afterSeq the lowest position
 */
async function readBeginning(sql: SqlRunner, tenantId: string, afterSeq: number, headSeq: number): Promise<number> {
  const [first] = await sql.query<{ seq: string }>(selectFirstEvent, [tenantId, afterSeq]);
  return Number(first?.seq ?? headSeq + 1) - 1;
}

interface FedReader {
  deliveries: NewDelivery[];
  position: number;
  isFull: boolean;
}

/** The deliveries of one endpoint from the log, as far as it has room, and the position that it reaches with them. */
function feedOne(
  { id, types, position: stored, isSetBack, room }: Reader,
  stretches: readonly Stretch[],
  follows: number,
): FedReader {
  const { events, untilSeq } = stretches.findLast(({ afterSeq }) => afterSeq <= stored) ?? emptyStretch;
  const position = Math.max(stored, follows);
  const resync = follows > stored || isSetBack ? [resyncDelivery(id, position)] : [];
  const wanted = events.filter(({ type, seq }) => types.has(type) && Number(seq) > position);
  const taken = wanted.slice(0, room - resync.length);
  const isFull = taken.length < wanted.length;
  const deliveries = [...resync, ...taken.map((event) => ({ ...event, id: newRecordId(), endpointId: id }))];
  const lastSeq = Number(taken.at(-1)?.seq ?? position);
  return { deliveries, position: isFull ? lastSeq : Math.max(position, untilSeq), isFull };
}

const emptyStretch: Stretch = { afterSeq: 0, events: [], untilSeq: 0 };

/** Stands in the place of events that were removed before they were read, or that the database has lost after they were. */
function resyncDelivery(endpointId: string, position: number): NewDelivery {
  const nothing = { leadId: null, messageId: null, instanceId: null, data: null };
  const id = newRecordId();
  return { id, endpointId, type: 'RESYNC_REQUIRED', seq: String(position), occurredAt: new Date(), ...nothing };
}
