// Makes deliveries of the tenants' events, in the order of their logs. Each endpoint has its own position, written in the transaction of
// its deliveries: a process that dies loses and skips nothing, and whoever writes events knows nothing of endpoints.

import type { Database, SqlRunner } from '../../platform/database.js';
import { newRecordId } from '../../platform/record-id.js';
import { holdEndpoints, insertDeliveries, insertValues, selectFedEvents, setPositions } from './endpoint-feed.sql.js';
import type { FedEvent, HeldEndpoint, NewDelivery } from './endpoint-feed.sql.js';

export interface EndpointFeedOptions {
  database: Database;
  /** Deliveries of an endpoint that may wait. With more, its position stays where it is: the log keeps the rest. */
  maxPending?: number;
}

const defaultMaxPending = 2_000;
/** Events that become deliveries in one transaction. */
const maxEvents = 500;
/** Events that are looked through in one transaction, of whatever type. */
const maxSeen = 20_000;

/** What one transaction read of a tenant's log. */
interface Stretch {
  events: FedEvent[];
  /** Everything up to here that an endpoint may want is among the events. */
  untilSeq: number;
}

interface Reader {
  id: string;
  types: ReadonlySet<string>;
  /** After a gap, what follows it. */
  position: number;
  hasGap: boolean;
  room: number;
}

export class EndpointFeedService {
  private readonly maxPending: number;

  constructor(private readonly options: EndpointFeedOptions) {
    this.maxPending = options.maxPending ?? defaultMaxPending;
  }

  /**
   * Makes deliveries of what is new for the tenant's endpoints. Any number of processes may do so at once. Safe to repeat.
   * @returns whether there may be more
   */
  async feed(tenantId: string): Promise<boolean> {
    return this.options.database.transaction(async (sql) => {
      const held = await sql.query<HeldEndpoint>(holdEndpoints, [tenantId, this.maxPending]);
      const readers = held.map((endpoint) => this.readerOf(endpoint)).filter(({ room }) => room > 0);
      const headSeq = Number(held[0]?.headSeq ?? 0);
      if (readers.length === 0) return false;
      const stretch = await readStretch(sql, tenantId, readers, headSeq);
      const told = readers.map((reader) => tell(reader, stretch));
      const deliveries = told.flatMap((one) => one.deliveries);
      if (deliveries.length > 0) await sql.query(insertDeliveries, insertValues(tenantId, deliveries));
      await sql.query(setPositions, [tenantId, readers.map(({ id }) => id), told.map(({ position }) => position)]);
      return told.some(({ position, isFull }) => position < headSeq && !isFull);
    });
  }

  private readerOf({ id, eventTypes, positionSeq, headSeq, firstSeq, pending }: HeldEndpoint): Reader {
    const stored = Number(positionSeq);
    // What came before the oldest event that is left was removed.
    const follows = Number(firstSeq ?? Number(headSeq) + 1) - 1;
    const room = this.maxPending - pending;
    return { id, types: new Set(eventTypes), position: follows, hasGap: follows > stored, room };
  }
}

async function readStretch(
  sql: SqlRunner,
  tenantId: string,
  readers: readonly Reader[],
  headSeq: number,
): Promise<Stretch> {
  const afterSeq = Math.min(...readers.map(({ position }) => position));
  const seenSeq = Math.min(headSeq, afterSeq + maxSeen);
  const types = [...new Set(readers.flatMap((reader) => [...reader.types]))];
  const events = await sql.query<FedEvent>(selectFedEvents, [tenantId, afterSeq, seenSeq, types, maxEvents]);
  const isCut = events.length === maxEvents;
  return { events, untilSeq: isCut ? Number(events.at(-1)?.seq) : seenSeq };
}

/** What of a stretch is for one endpoint, as far as it has room, and how far it has come with that. */
function tell(
  { id, types, position, hasGap, room }: Reader,
  { events, untilSeq }: Stretch,
): { deliveries: NewDelivery[]; position: number; isFull: boolean } {
  const resync = hasGap ? [resyncDelivery(id, position)] : [];
  const wanted = events.filter(({ type, seq }) => types.has(type) && Number(seq) > position);
  const taken = wanted.slice(0, room - resync.length);
  const isFull = taken.length < wanted.length;
  const deliveries = [...resync, ...taken.map((event) => ({ ...event, id: newRecordId(), endpointId: id }))];
  const lastSeq = Number(taken.at(-1)?.seq ?? position);
  return { deliveries, position: isFull ? lastSeq : Math.max(position, untilSeq), isFull };
}

/** Stands in the place of events that were removed before they were read. */
function resyncDelivery(endpointId: string, position: number): NewDelivery {
  const nothing = { leadId: null, messageId: null, instanceId: null, data: null };
  const id = newRecordId();
  return { id, endpointId, type: 'RESYNC_REQUIRED', seq: String(position), occurredAt: new Date(), ...nothing };
}
