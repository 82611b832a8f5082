// The expected figures of dashboards, computed in memory from all of a tenant's records: no SQL, no counts kept, and the calendar of Intl.

import type { Dimension, Metric } from '../../../src/features/dashboards/metric.js';

export interface PlainMessage {
  id: string;
  leadId: string;
  instanceId: string;
  direction: 'INBOUND' | 'OUTBOUND';
  status: string | null;
  authorId: string | null;
  templateId: string | null;
  isBulk: boolean;
  isAutomatic: boolean;
  createdAt: Date;
}

export interface PlainLead {
  id: string;
  source: string;
  assigneeId: string | null;
  /** The source of the lead's first referral. */
  adId: string | null;
  createdAt: Date;
}

export interface PlainData {
  messages: readonly PlainMessage[];
  leads: readonly PlainLead[];
}

export interface PlainFilter {
  sources?: string[] | null;
  assigneeIds?: string[] | null;
  adIds?: string[] | null;
  instanceIds?: string[] | null;
  authorIds?: string[] | null;
  templateIds?: string[] | null;
}

export interface Question {
  metric: Metric;
  from: Date;
  to: Date;
  filter?: PlainFilter;
  /** Limits the answer to records of this key. */
  slice?: { dimension: Dimension; key: string | null; timeZone: string };
}

export interface Answer {
  value: number | null;
  counted: string[];
  total: string[];
}

/** A record that a metric may count, with the values that tell it apart. */
interface Fact {
  id: string;
  at: Date;
  state: string;
  waitMs: number | null;
  keys: Partial<Record<Dimension, string | null>>;
}

const accepted = ['QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED'];
const messageStates: Partial<Record<Metric, [counted: readonly string[], total: readonly string[]]>> = {
  MESSAGES: [
    ['IN', 'CANCELED', ...accepted],
    ['IN', 'CANCELED', ...accepted],
  ],
  MESSAGES_RECEIVED: [['IN'], ['IN']],
  MESSAGES_ACCEPTED: [accepted, accepted],
  MESSAGES_SENT: [
    ['SENT', 'DELIVERED', 'READ'],
    ['SENT', 'DELIVERED', 'READ'],
  ],
  DELIVERED_RATE: [['DELIVERED', 'READ'], accepted],
  READ_RATE: [['READ'], accepted],
  FAILED_RATE: [['FAILED'], accepted],
};

/** Computes the answer. Its records are in no order. */
export function answer(data: PlainData, { metric, from, to, filter = {}, slice }: Question): Answer {
  const facts = factsOf(data, metric).filter(
    (fact) => fact.at >= from && fact.at < to && passes(fact, filter) && (slice === undefined || isIn(fact, slice)),
  );
  const states = messageStates[metric];
  const idsOf = (wanted: readonly Fact[]) => wanted.map(({ id }) => id);
  if (states !== undefined) {
    const [counted, total] = states.map((of) => facts.filter(({ state }) => of.includes(state))) as [Fact[], Fact[]];
    const isRate = metric.endsWith('_RATE');
    const value = isRate ? (total.length === 0 ? null : counted.length / total.length) : counted.length;
    return { value, counted: idsOf(counted), total: idsOf(total) };
  }
  const answered = facts.filter(({ waitMs }) => waitMs !== null);
  if (metric === 'LEADS_CREATED' || metric === 'LEADS_OPTED_OUT')
    return { value: facts.length, counted: idsOf(facts), total: idsOf(facts) };
  if (metric === 'TURNS_UNANSWERED') {
    const open = facts.filter(({ waitMs }) => waitMs === null);
    return { value: open.length, counted: idsOf(open), total: idsOf(facts) };
  }
  const waits = answered.map(({ waitMs }) => waitMs ?? 0).sort((a, b) => a - b);
  const value = percentile(waits, metric === 'RESPONSE_TIME_P90' ? 0.9 : 0.5);
  return { value: value === null ? null : value / 1_000, counted: idsOf(answered), total: idsOf(facts) };
}

function factsOf(data: PlainData, metric: Metric): Fact[] {
  // No lead here opts out: test/features/consent counts those who do.
  if (metric === 'LEADS_OPTED_OUT') return [];
  if (metric === 'LEADS_CREATED' || metric === 'SPEED_TO_LEAD') return data.leads.map((lead) => leadFact(data, lead));
  if (messageStates[metric] === undefined) return data.leads.flatMap((lead) => turnFacts(data, lead));
  const leads = new Map(data.leads.map((lead) => [lead.id, lead]));
  return data.messages.map((message) => ({
    id: message.id,
    at: message.createdAt,
    state: message.status ?? 'IN',
    waitMs: null,
    keys: {
      ...leadKeys(leads.get(message.leadId)!),
      INSTANCE: message.instanceId,
      AUTHOR: message.authorId,
      TEMPLATE: message.templateId,
      STATUS: message.status,
      DIRECTION: message.direction,
      ORIGIN: originOf(message),
    },
  }));
}

function originOf({ direction, isAutomatic, isBulk, authorId }: PlainMessage): string {
  if (direction === 'INBOUND') return 'LEAD';
  if (isAutomatic) return 'SYSTEM';
  if (isBulk) return 'BULK';
  return authorId === null ? 'PHONE' : 'USER';
}

function leadKeys({ source, assigneeId, adId }: PlainLead): Fact['keys'] {
  return { SOURCE: source, ASSIGNEE: assigneeId, AD: adId };
}

function conversationOf(data: PlainData, leadId: string): PlainMessage[] {
  const own = data.messages.filter(
    ({ leadId: of, status }) => of === leadId && status !== 'CANCELED' && status !== 'FAILED',
  );
  return own.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
}

function leadFact(data: PlainData, lead: PlainLead): Fact {
  const reply = conversationOf(data, lead.id).find(
    ({ direction, createdAt }) => direction === 'OUTBOUND' && createdAt >= lead.createdAt,
  );
  const waitMs = reply === undefined ? null : reply.createdAt.getTime() - lead.createdAt.getTime();
  const keys = { ...leadKeys(lead), AUTHOR: reply?.authorId ?? null };
  return { id: lead.id, at: lead.createdAt, state: 'LEAD', waitMs, keys };
}

function turnFacts(data: PlainData, lead: PlainLead): Fact[] {
  const facts: Fact[] = [];
  let open: Fact | undefined;
  for (const message of conversationOf(data, lead.id).filter((own) => !own.isBulk && !own.isAutomatic)) {
    if (message.direction === 'INBOUND') {
      if (open !== undefined) continue;
      const keys = { ...leadKeys(lead), INSTANCE: message.instanceId, AUTHOR: null };
      open = { id: message.id, at: message.createdAt, state: 'TURN', waitMs: null, keys };
      facts.push(open);
    } else if (open !== undefined) {
      open.waitMs = message.createdAt.getTime() - open.at.getTime();
      open.keys.AUTHOR = message.authorId;
      open = undefined;
    }
  }
  return facts;
}

function percentile(sorted: readonly number[], fraction: number): number | null {
  const place = (sorted.length - 1) * fraction;
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below === undefined || above === undefined ? null : below + (above - below) * (place - Math.floor(place));
}

const filterDimensions: Record<keyof PlainFilter, Dimension> = {
  sources: 'SOURCE',
  assigneeIds: 'ASSIGNEE',
  adIds: 'AD',
  instanceIds: 'INSTANCE',
  authorIds: 'AUTHOR',
  templateIds: 'TEMPLATE',
};

function passes({ keys }: Fact, filter: PlainFilter): boolean {
  return (Object.keys(filterDimensions) as (keyof PlainFilter)[]).every((field) => {
    const wanted = filter[field];
    return wanted == null || wanted.includes(keys[filterDimensions[field]] ?? '');
  });
}

function isIn(fact: Fact, { dimension, key, timeZone }: NonNullable<Question['slice']>): boolean {
  if (dimension === 'HOUR_OF_DAY') return String(localHour(fact.at, timeZone)) === key;
  if (dimension === 'WEEKDAY') return String(localWeekday(fact.at, timeZone)) === key;
  if (dimension === 'HOUR_OF_WEEK') return `${localWeekday(fact.at, timeZone)}-${localHour(fact.at, timeZone)}` === key;
  return (fact.keys[dimension] ?? null) === key;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock in the zone: date, hour, minute. */
export function wallClock(at: Date, timeZone: string): { date: string; hour: number; minute: number } {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute } = parts;
  return { date: `${year}-${month}-${day}`, hour: Number(hour), minute: Number(minute) };
}

function localHour(at: Date, timeZone: string): number {
  return wallClock(at, timeZone).hour;
}

function localWeekday(at: Date, timeZone: string): number {
  const { date } = wallClock(at, timeZone);
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

/** The month, week (by its Monday) or day of the local calendar in which an instant lies. */
export function localPeriod(at: Date, bucket: 'DAY' | 'WEEK' | 'MONTH', timeZone: string): string {
  const { date } = wallClock(at, timeZone);
  if (bucket === 'DAY') return date;
  if (bucket === 'MONTH') return date.slice(0, 7);
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() || 7) - 1));
  return day.toISOString().slice(0, 10);
}
