// An operator's inbox: pages of 50 leads, each with its newest message, what is unread and who looks after it. Against a GraphQL server
// whose page is one statement written by hand, and against no GraphQL at all; and on a long history against a short one.

import { isDeepStrictEqual } from 'node:util';
import { HttpLoad } from './load.js';
import { describeShare, measureLoaded, settle } from './loaded-server.js';
import type { LoadedServer } from './loaded-server.js';
import { beforeName, startProduct } from './product.js';
import type { Product, ProductOptions } from './product.js';
import { startServer } from './server-process.js';
import type { Bench, BenchContext, Comparison } from './side-by-side.js';
import { storeConversations } from './stored-conversations.js';

const path = '/graphql';
const connections = 32;
const leadCount = 5_000;
const messageCount = 200_000;
const manyMessages = 1_000_000;
const fewMessages = 10_000;
const days = 30;
const pageSize = 50;
const timing = { rounds: 5, roundMs: 3_000, warmUpMs: 1_000 };

const query = `query Inbox($first: Int!, $after: String) { inbox(first: $first, after: $after) {
  edges { cursor node { id name chat source unreadCount updatedAt
    lastMessage { id direction type status body createdAt } assignee { id name email } } }
  pageInfo { endCursor hasNextPage } } }`;

export const inboxBench: Bench = { name: 'inbox', run: runInbox };

async function runInbox(context: BenchContext): Promise<Comparison[]> {
  return [...(await compareServers(context)), await compareHistories(context)];
}

async function compareServers(context: BenchContext): Promise<Comparison[]> {
  const { resources, signal } = context;
  const product = await startFilled(context, { databaseName: 'product' }, messageCount);
  const before = context.before && [
    await startFilled(context, { version: context.before, databaseName: 'before' }, messageCount),
  ];
  const environment = { DATABASE_URL: product.databaseUrl, TENANT_ID: product.tenant.id, NODE_ENV: 'production' };
  const startBaseline = (script: string) =>
    startServer({ script: `test/bench/baselines/${script}`, environment, resources, signal });
  const leadwire = serverOf('Leadwire', product, signal);
  const servers = [
    leadwire,
    { name: 'Mercurius + graphql-jit + pg', url: await startBaseline('mercurius-inbox.ts'), headers: json, signal },
    { name: 'node:http + pg', url: await startBaseline('node-http-inbox.ts'), headers: json, signal },
  ];
  const pages = await listPages(leadwire);
  await confirmAlike(servers, pages);
  // Its database has other leads, and so other pages.
  const others = (before ?? []).map((each) => serverOf(beforeName, each, signal));
  const pagesOfOthers = await Promise.all(others.map(listPages));
  const measure = async (title: string, count: number, notes: readonly string[]): Promise<Comparison> => {
    const [first, ...baselines] = servers.map((server) => loadedWith(server, pages.slice(0, count)));
    const versions = others.map((server, index) => loadedWith(server, pagesOfOthers[index]?.slice(0, count) ?? []));
    const loaded = [...(first === undefined ? [] : [first]), ...versions, ...baselines];
    const sides = await measureLoaded(loaded, { ...timing, ...context });
    return { title, sides, notes: [...notes, ...sharedNotes, describeShare(loaded)] };
  };
  return [
    await measure(`Inbox: \`POST ${path}\`, the first page, asked by all connections`, 1, [
      'Leadwire executes what is asked alike in one turn of its event loop once; the others execute each request.',
    ]),
    await measure(
      `Inbox: \`POST ${path}\`, ${pages.length} pages in turn, so that no two are asked alike`,
      pages.length,
      [],
    ),
  ];
}

const sharedNotes = [
  `50 leads a page, each with its newest message, unread count and assignee; ${connections} connections, ` +
    `${leadCount.toLocaleString('en')} leads, ${messageCount.toLocaleString('en')} messages, ${timing.rounds} rounds of about ` +
    `${timing.roundMs / 1_000} s a side in turn; all sides read the same database and answer the same data ` +
    '(the version before, where it is compared with, has a database of its own, filled alike).',
  'Leadwire authenticates the caller, counts the rate limit, and limits depth, cost and time; the others know nobody, and read the page ' +
    'with one statement written for it. One process each, at most 10 connections to PostgreSQL.',
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
    sides: await measureLoaded(servers, { ...timing, ...context }),
    ratioTitle: 'first ÷ side',
    notes: [
      `${connections} connections, ${leadCount.toLocaleString('en')} leads, ${timing.rounds} rounds of about ${timing.roundMs / 1_000} s a side in turn.`,
    ],
  };
}

async function startFilled(
  context: BenchContext,
  options: Pick<ProductOptions, 'version' | 'databaseName'>,
  count: number,
): Promise<Product> {
  const { signal, progress } = context;
  const product = await startProduct(context, options);
  progress(`storing ${count.toLocaleString('en')} messages`);
  const tenantId = product.tenant.id;
  await storeConversations(product.databaseUrl, { tenantId, leadCount, messageCount: count, days, signal });
  await settle([product.databaseUrl]);
  return product;
}

interface InboxServer {
  name: string;
  url: string;
  headers: Record<string, string>;
  signal: AbortSignal;
}

const json = { 'content-type': 'application/json' };

function serverOf(name: string, { url, tenant }: Product, signal: AbortSignal): InboxServer {
  return { name, url, headers: { ...json, authorization: `Bearer ${tenant.token}` }, signal };
}

function loadedWith({ name, url, headers, signal }: InboxServer, bodies: readonly string[]): LoadedServer {
  let sent = 0;
  const nextRequest = () => {
    sent += 1;
    return { body: bodies[sent % bodies.length] ?? '', headers };
  };
  const expected = '"lastMessage":{"id"';
  return { name, load: new HttpLoad({ url, path, method: 'POST', connections, nextRequest, expected, signal }) };
}

/** The requests for each page of the inbox. */
async function listPages(server: InboxServer): Promise<string[]> {
  const bodies: string[] = [];
  for (let after: string | null | undefined = null; after !== undefined;) {
    const body = JSON.stringify({ query, variables: { first: pageSize, after } });
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

/** @throws Error when two sides answer differently */
async function confirmAlike(servers: readonly InboxServer[], bodies: readonly string[]): Promise<void> {
  for (const body of bodies) {
    const answers = await Promise.all(servers.map((server) => ask(server, body)));
    for (const [index, { name }] of servers.entries())
      if (!isDeepStrictEqual(answers[index], answers[0]))
        throw new Error(`${name} answers otherwise than the first side`);
  }
}

async function ask({ url, headers, signal }: InboxServer, body: string): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal });
  return response.json();
}
