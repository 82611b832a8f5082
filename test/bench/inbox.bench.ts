// An operator's inbox: pages of 50 leads, each with its newest message, its unread count and its assignee. Leadwire is compared with a
// GraphQL server whose page is one hand-written statement, one that makes the statement itself, and no GraphQL at all. A second
// table compares a long history with a short one.

import { isDeepStrictEqual } from 'node:util';
import { inboxIndex } from './baselines/inbox-store.js';
import { HttpLoad, type LoadedProcesses } from './load.js';
import { describeCpu, describeShare, measureLoaded, settle, type LoadedServer } from './loaded-server.js';
import { withClient } from './postgres.js';
import { beforeName, startProduct, type Product, type ProductOptions } from './product.js';
import { startProcess } from './server-process.js';
import { timingOf, type Bench, type BenchContext, type Comparison, type Listing, type Timing } from './side-by-side.js';
import { storeConversations } from './stored-conversations.js';

const path = '/graphql';
const connections = 32;
const leadCount = 5_000;
const messageCount = 200_000;
const manyMessages = 1_000_000;
const fewMessages = 10_000;
/** The share of the stored data in a brief run (`--brief`). */
const briefShare = 0.1;
const days = 30;
const pageSize = 50;
const timing: Timing = { rounds: 5, roundMs: 3_000, warmUpMs: 1_000 };

const query = `query Inbox($first: Int!, $after: String) { inbox(first: $first, after: $after) {
  edges { cursor node { id name chat source unreadCount updatedAt
    lastMessage { id direction type status body createdAt } assignee { id name email } } }
  pageInfo { endCursor hasNextPage } } }`;

// The same fields of the same leads, in the words of a schema that is made from the tables.
const queryOfTables = `query Inbox($tenantId: UUID!, $first: Int!, $after: Cursor) {
  inbox: allLeads(condition: { tenantId: $tenantId, mergedIntoId: null }, orderBy: LAST_MESSAGE_ID_DESC, first: $first, after: $after) {
    edges { cursor node { id: rowId name chat source unreadCount updatedAt
      lastMessage { id: rowId direction type status body createdAt } assignee: userByTenantIdAndAssigneeId { id: rowId name email } } }
    pageInfo { endCursor hasNextPage } } }`;

export const inboxBench: Bench = { name: 'inbox', run: runInbox };

async function runInbox(context: BenchContext): Promise<(Comparison | Listing)[]> {
  return [...(await compareServers(context)), await compareHistories(context)];
}

async function compareServers(context: BenchContext): Promise<(Comparison | Listing)[]> {
  const { resources, signal } = context;
  const product = await startFilled(context, { databaseName: 'product' }, messageCount);
  await withClient(product.databaseUrl, (client) => client.query(inboxIndex));
  await settle([product.databaseUrl]);
  const before = context.before && [
    await startFilled(context, { version: context.before, databaseName: 'before' }, messageCount),
  ];
  const environment = { DATABASE_URL: product.databaseUrl, TENANT_ID: product.tenant.id, NODE_ENV: 'production' };
  const startBaseline = async (script: string) => {
    const baseline = { script: `test/bench/baselines/${script}`, environment, resources, signal };
    const { url, pid } = await startProcess(baseline);
    return { url, processes: { pid, databaseUrl: product.databaseUrl } };
  };
  const leadwire = serverOf('Leadwire', product, signal);
  const bare = { headers: json, signal, query, variables: {} };
  const servers = [
    leadwire,
    { ...bare, name: 'Mercurius + graphql-jit + pg', ...(await startBaseline('mercurius-inbox.mjs')) },
    {
      ...bare,
      name: 'PostGraphile 5',
      ...(await startBaseline('postgraphile-inbox.mjs')),
      query: queryOfTables,
      variables: { tenantId: product.tenant.id },
    },
    { ...bare, name: 'node:http + pg', ...(await startBaseline('node-http-inbox.ts')) },
  ];
  // Cursors differ, and another version has another database.
  const versions = (before ?? []).map((each) => serverOf(beforeName, each, signal));
  const paged = await Promise.all(
    [...servers, ...versions].map(async (server) => ({ server, pages: await listPages(server) })),
  );
  await confirmAlike(paged.slice(0, servers.length));
  const [first, ...rest] = paged;
  const sides = [first, ...rest.slice(servers.length - 1), ...rest.slice(0, servers.length - 1)];
  const measure = async (name: string, title: string, count: number): Promise<(Comparison | Listing)[]> => {
    const loaded = sides.flatMap((side) =>
      side === undefined ? [] : loadedWith(side.server, side.pages.slice(0, count)),
    );
    const measured = await measureLoaded(loaded, { ...context, ...timingOf(context, timing) });
    return [
      { title, path: name, sides: measured, notes: [...sharedNotes, describeShare(loaded)] },
      describeCpu(name, loaded),
    ];
  };
  const pageCount = first?.pages.length ?? 0;
  return [
    ...(await measure('inbox, one page', `Inbox: \`POST ${path}\`, the first page, asked by all connections`, 1)),
    ...(await measure('inbox, pages in turn', `Inbox: \`POST ${path}\`, ${pageCount} pages in turn`, pageCount)),
  ];
}

const sharedNotes = [
  `50 leads a page, each with its newest message, unread count and assignee; ${connections} connections, ` +
    `${leadCount.toLocaleString('en')} leads, ${messageCount.toLocaleString('en')} messages, ${timing.rounds} rounds of about ` +
    `${timing.roundMs / 1_000} s a side in turn; all sides read the same database and answer the same data ` +
    '(the version before, where it is compared with, has a database of its own, filled alike).',
  'Leadwire authenticates the caller, counts the rate limit, and limits depth, cost and time; the others know nobody, and read the page ' +
    'with one statement written for it, which gives its rows as JSON and has an index of its own. One process each, at most 10 connections to ' +
    'PostgreSQL.',
  'PostGraphile makes its schema and its statement from the tables; a smart tag names the relation to the newest message, and it has the ' +
    'same index. It keeps the plan of a document, prepares its statement, and runs it outside of a transaction.',
];

async function compareHistories(context: BenchContext): Promise<Comparison> {
  const servers: LoadedServer[] = [];
  const histories = [
    ['many', manyMessages],
    ['few', fewMessages],
  ] as const;
  for (const [databaseName, count] of histories) {
    const product = await startFilled(context, { databaseName }, count);
    const server = serverOf(`Leadwire, ${count.toLocaleString('en')} messages stored`, product, context.signal);
    servers.push(loadedWith(server, await listPages(server)));
  }
  return {
    title: 'Inbox, pages in turn, by what is stored',
    sides: await measureLoaded(servers, { ...context, ...timingOf(context, timing) }),
    ratioTitle: 'first ÷ side',
    notes: [
      `${connections} connections, ${leadCount.toLocaleString('en')} leads, ${timing.rounds} rounds of about ${timing.roundMs / 1_000} s a side in turn.`,
    ],
  };
}

export async function startFilled(
  context: BenchContext,
  options: Pick<ProductOptions, 'version' | 'databaseName' | 'onSpawn'>,
  count: number,
): Promise<Product> {
  const { signal, progress } = context;
  const product = await startProduct(context, options);
  progress(`storing ${count.toLocaleString('en')} messages`);
  const share = context.isBrief === true ? briefShare : 1;
  const amounts = { leadCount: leadCount * share, messageCount: count * share };
  await storeConversations(product.databaseUrl, { tenantId: product.tenant.id, ...amounts, days, signal });
  await settle([product.databaseUrl]);
  return product;
}

interface InboxServer {
  name: string;
  url: string;
  /** The processes that answer, so that the cost of a call for them is measured. */
  processes: LoadedProcesses;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** The query for a page. */
  query: string;
  /** The variables beside those of the page. */
  variables: object;
}

/** A server, and the requests for its pages. */
interface PagedServer {
  server: InboxServer;
  pages: readonly string[];
}

const json = { 'content-type': 'application/json' };

export function serverOf(name: string, { url, pid, databaseUrl, tenant }: Product, signal: AbortSignal): InboxServer {
  const headers = { ...json, authorization: `Bearer ${tenant.token}` };
  return { name, url, processes: { pid, databaseUrl }, headers, signal, query, variables: {} };
}

export function loadedWith(
  { name, url, processes, headers, signal }: InboxServer,
  bodies: readonly string[],
): LoadedServer {
  let sent = 0;
  const nextRequest = () => {
    sent += 1;
    return { body: bodies[sent % bodies.length] ?? '', headers };
  };
  const expected = '"direction"';
  const options = { url, path, method: 'POST', connections, nextRequest, expected, processes, signal } as const;
  return { name, load: new HttpLoad(options) };
}

/** The requests for each page of the inbox. */
export async function listPages(server: InboxServer): Promise<string[]> {
  const bodies: string[] = [];
  for (let after: string | null | undefined = null; after !== undefined;) {
    const body = JSON.stringify({ query: server.query, variables: { ...server.variables, first: pageSize, after } });
    bodies.push(body);
    const { data } = (await ask(server, body)) as { data: { inbox: InboxPage } };
    const { hasNextPage, endCursor } = data.inbox.pageInfo;
    after = hasNextPage ? endCursor : undefined;
  }
  return bodies;
}

interface InboxPage {
  pageInfo: { endCursor: string; hasNextPage: boolean };
}

/** @throws Error when two sides give different pages, cursors aside */
async function confirmAlike(sides: readonly PagedServer[]): Promise<void> {
  for (const place of sides[0]?.pages.keys() ?? []) {
    const answers = await Promise.all(sides.map(({ server, pages }) => ask(server, pages[place] ?? '')));
    const contents = answers.map(comparable);
    for (const [index, { server }] of sides.entries())
      if (!isDeepStrictEqual(contents[index], contents[0]))
        throw new Error(
          `${server.name} answers otherwise than the first side: ${JSON.stringify(answers[index]).slice(0, 500)}`,
        );
  }
}

const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;

/** The value without cursors, and with all times in one format. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string') return time.test(value) ? new Date(value).toISOString() : value;
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => name !== 'cursor' && name !== 'endCursor');
  return Object.fromEntries(fields.map(([name, part]) => [name, comparable(part)]));
}

async function ask({ url, headers, signal }: InboxServer, body: string): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal });
  return response.json();
}
