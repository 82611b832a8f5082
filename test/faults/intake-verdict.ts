// Compares the result of intake with its callers' answers: each acknowledged call is stored once and whole, and nothing else is stored. The
// evidence is the journal, which keeps each call with its answer, and the stored records.

import type { IntakeLoad } from './intake-load.js';

/** Reads rows of the database under test. */
export type ReadRows = <Row extends object>(text: string) => Promise<Row[]>;

const ranks: Record<string, number> = { SENT: 2, DELIVERED: 3, READ: 4 };

/** The answer to one item of a call. */
interface ItemResult {
  messageId: string | null;
  leadId?: string;
  duplicate?: boolean;
  externalId?: string;
  outcome?: string;
}

type LeadResult = { id: string; chat: string; created: boolean };

/** A call in the journal. */
interface Entry {
  key: string;
  call: Record<string, unknown>;
  result: LeadResult | { results: ItemResult[] };
}

interface StoredMessage {
  externalId: string;
  messageId: string;
  leadId: string;
  direction: string;
  status: string | null;
  steps: { from: string | null; to: string; source: string }[];
}

async function readMessages(rowsOf: ReadRows): Promise<Map<string, StoredMessage>> {
  const messages = await rowsOf<StoredMessage>(
    `SELECT m.external_id AS "externalId", m.id AS "messageId", m.lead_id AS "leadId", m.direction, m.status,
       coalesce(json_agg(json_build_object('from', t.from_status, 'to', t.to_status, 'source', t.source) ORDER BY t.id)
         FILTER (WHERE t.id IS NOT NULL), '[]') AS steps
     FROM messages m LEFT JOIN message_status_transitions t ON t.message_id = m.id GROUP BY m.tenant_id, m.id`,
  );
  const stored = new Map(messages.map((message) => [message.externalId, message]));
  expect(stored.size).toBe(messages.length);
  return stored;
}

async function readJournal(rowsOf: ReadRows): Promise<Entry[]> {
  const rows = await rowsOf<{ outcome: string; body: Buffer; result: Entry['result'] }>(
    'SELECT outcome, body, result FROM webhook_deliveries ORDER BY id',
  );
  expect(rows.filter(({ outcome }) => outcome !== 'processed')).toEqual([]);
  return rows.map(({ body, result }) => {
    const call = JSON.parse(body.toString()) as Record<string, unknown>;
    return { key: String(call['call']), call, result };
  });
}

/** The items of a call with messages or statuses: their provider ids, and the reported status of each. */
function itemsOf({ call, result }: Entry): { externalId: string; status: string | undefined; result: ItemResult }[] {
  if (!('results' in result)) return [];
  const data = [call['data'] ?? []].flat() as { key: { id: string } }[];
  const listed = (call['messages'] ?? call['statuses'] ?? [call]) as { messageId: string; status?: string }[];
  const named: { messageId: string; status?: string }[] =
    data.length > 0 ? data.map(({ key }) => ({ messageId: key.id })) : listed;
  expect(result.results).toHaveLength(named.length);
  return result.results.map((item, index) => {
    const { messageId = '', status } = named[index] ?? {};
    return { externalId: messageId, status, result: item };
  });
}

/** Checks that the journal holds every answer that a caller received, and no call that was never made. */
function expectAnswersJournalled(journal: readonly Entry[], { acknowledged, tried, prefix }: IntakeLoad): void {
  const told = new Map<string, string[]>();
  for (const { key, result } of journal) told.set(key, [...(told.get(key) ?? []), canonical(result)]);
  for (const { key, answer } of acknowledged) expect(told.get(key)).toContain(canonical(answer));
  const own = [...told.keys()].filter((key) => key.startsWith(`${prefix}-`));
  expect(own.filter((key) => !tried.has(key))).toEqual([]);
}

/** Returns the same text for the same value: the journal keeps fields in an order of its own. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

/** Checks that the stored messages agree with the journal, and that exactly one entry reports each message as new. */
function expectMessagesTrue(journal: readonly Entry[], stored: ReadonlyMap<string, StoredMessage>): void {
  const told = journal.flatMap(itemsOf).filter(({ status }) => status === undefined);
  const isStored = ({ externalId, result: { messageId, leadId } }: (typeof told)[number]) =>
    stored.get(externalId)?.messageId === messageId && stored.get(externalId)?.leadId === leadId;
  expect(told.filter((item) => !isStored(item))).toEqual([]);
  const firsts = told.filter(({ result }) => result.duplicate === false).map(({ externalId }) => externalId);
  expect(firsts.toSorted()).toEqual([...stored.keys()].toSorted());
}

/** Tells if a report is one of these steps, or comes too late to be one. */
function isSettled(status: string, steps: StoredMessage['steps']): boolean {
  const highest = Math.max(...steps.map(({ to }) => ranks[to] ?? 0));
  const hasFailed = steps.some(({ to }) => to === 'FAILED');
  if (status === 'FAILED') return hasFailed || highest > 2;
  return highest >= (ranks[status] ?? Infinity);
}

interface Report {
  /** The provider id and the status. */
  name: string;
  status: string;
  result: ItemResult;
  message: StoredMessage | undefined;
}

/** Checks each acknowledged report: it is a step of its message, too late to be one, or parked until that message comes. */
async function expectStatusesTrue(
  rowsOf: ReadRows,
  journal: readonly Entry[],
  stored: ReadonlyMap<string, StoredMessage>,
): Promise<void> {
  const rows = await rowsOf<{ name: string }>(`SELECT external_id || ' ' || status AS name FROM parked_statuses`);
  const parked = new Set(rows.map(({ name }) => name));
  const reports = journal.flatMap(itemsOf).flatMap(({ externalId, status, result }): Report[] => {
    if (status === undefined) return [];
    return [{ name: `${externalId} ${status}`, status, result, message: stored.get(externalId) }];
  });
  expect(reports.filter((report) => !isTrue(report, parked.has(report.name)))).toEqual([]);
  const applied = reports.filter(({ result }) => result.outcome === 'applied').map(({ name }) => name);
  expect(applied.length).toBeGreaterThan(0);
  expect(new Set(applied).size).toBe(applied.length);
  const reported = new Set(reports.map(({ name }) => name));
  expect([...parked].filter((name) => !reported.has(name))).toEqual([]);
  for (const message of stored.values()) expectExplained(message, reported);
}

function isTrue({ status, result: { outcome, messageId }, message }: Report, isParked: boolean): boolean {
  if (message === undefined) return outcome === 'parked' && messageId === null && isParked;
  if (isParked || !isSettled(status, message.steps)) return false;
  if (outcome === 'parked') return messageId === null;
  const isStep = message.steps.some(({ from, to }) => from !== null && to === status);
  return messageId === message.messageId && (isStep || outcome === 'ignored');
}

/** Checks that each step leads on from the one before and was reported, and that the last step is the message's status. */
function expectExplained({ externalId, direction, status, steps }: StoredMessage, reported: ReadonlySet<string>): void {
  if (direction === 'INBOUND') return expect({ status, steps }).toEqual({ status: null, steps: [] });
  const [first, ...later] = steps;
  expect(first).toMatchObject({ from: null, to: 'SENT' });
  expect(later.map(({ from }) => from)).toEqual(steps.slice(0, -1).map(({ to }) => to));
  expect(steps.at(-1)?.to).toBe(status);
  expect(later.filter(({ to }) => !reported.has(`${externalId} ${to}`))).toEqual([]);
}

async function expectLeadsTrue(rowsOf: ReadRows, journal: readonly Entry[]): Promise<void> {
  const untrue = await rowsOf(
    `SELECT l.chat, l.unread_count, l.last_message_id, m.*, i.*, t.* FROM leads l
     LEFT JOIN LATERAL (SELECT count(*) FILTER (WHERE direction = 'INBOUND') AS inbound,
         (array_agg(id ORDER BY position DESC))[1] AS newest FROM messages WHERE lead_id = l.id) m ON true
     LEFT JOIN LATERAL (SELECT count(*) AS identities FROM lead_identities WHERE lead_id = l.id AND value = l.chat) i ON true
     LEFT JOIN LATERAL (SELECT count(*) AS touches FROM lead_touches WHERE lead_id = l.id) t ON true
     WHERE l.unread_count <> m.inbound OR l.last_message_id IS DISTINCT FROM m.newest OR i.identities <> 1
       OR (m.newest IS NULL AND t.touches = 0)`,
  );
  expect(untrue).toEqual([]);
  const leads = await rowsOf<{ id: string; chat: string }>('SELECT id, chat FROM leads');
  const persons = new Set(leads.map(({ chat }) => chat.replace(/^(55\d\d)9(\d{8})$/, '$1$2')));
  expect(persons.size).toBe(leads.length);
  await expectTouchesTrue(rowsOf, journal, new Map(leads.map(({ id, chat }) => [id, chat])));
}

/** Checks that each entry about a lead names a stored lead and left one touch, and that at most one entry created it. */
async function expectTouchesTrue(
  rowsOf: ReadRows,
  journal: readonly Entry[],
  chats: ReadonlyMap<string, string>,
): Promise<void> {
  const told = journal.flatMap(({ key, result }) => ('results' in result ? [] : [{ key, ...result }]));
  expect(told.length).toBeGreaterThan(0);
  expect(told.filter(({ id, chat }) => chats.get(id) !== chat)).toEqual([]);
  const created = told.filter((lead) => lead.created).map(({ id }) => id);
  expect(new Set(created).size).toBe(created.length);
  const touches = await rowsOf<{ touch: string }>(
    `SELECT lead_id || ' ' || (metadata->>'call') AS touch FROM lead_touches`,
  );
  expect(touches.map(({ touch }) => touch).toSorted()).toEqual(told.map(({ id, key }) => `${id} ${key}`).toSorted());
}

async function expectEventsTrue(rowsOf: ReadRows): Promise<void> {
  const told = (type: string) =>
    rowsOf<{ id: string }>(`SELECT coalesce(message_id, lead_id) AS id FROM events WHERE type = '${type}' ORDER BY 1`);
  expect(await told('MESSAGE_RECEIVED')).toEqual(
    await rowsOf("SELECT id FROM messages WHERE direction = 'INBOUND' ORDER BY id"),
  );
  expect(await told('MESSAGE_STATUS_CHANGED')).toEqual(
    await rowsOf('SELECT message_id AS id FROM message_status_transitions ORDER BY 1'),
  );
  expect(await told('LEAD_CREATED')).toEqual(await rowsOf('SELECT id FROM leads ORDER BY id'));
  const gaps = await rowsOf(
    `SELECT h.last_seq, count(e.seq), min(e.seq), max(e.seq) FROM event_heads h LEFT JOIN events e USING (tenant_id)
     GROUP BY h.tenant_id HAVING count(DISTINCT e.seq) <> h.last_seq OR count(e.seq) <> h.last_seq OR min(e.seq) <> 1
       OR max(e.seq) <> h.last_seq`,
  );
  expect(gaps).toEqual([]);
}

/** Checks the records once no call is under way any more. @throws where an acknowledged record is missing, doubled or incomplete */
export async function expectWhole(rowsOf: ReadRows, load: IntakeLoad): Promise<void> {
  const [journal, stored] = [await readJournal(rowsOf), await readMessages(rowsOf)];
  expectAnswersJournalled(journal, load);
  expectMessagesTrue(journal, stored);
  await expectStatusesTrue(rowsOf, journal, stored);
  await expectLeadsTrue(rowsOf, journal);
  await expectEventsTrue(rowsOf);
}
