// The time that a dashboard takes to show: six widgets over 30 days, on a history of a month, and on one of three months.

import { settle } from './loaded-server.js';
import { startProduct, type Product } from './product.js';
import {
  measureSideBySide,
  percentile,
  type Bench,
  type BenchContext,
  type Comparison,
  type RoundFigures,
  type Side,
} from './side-by-side.js';
import { storeConversations } from './stored-conversations.js';

const leadCount = 20_000;
const rounds = 5;
const looks = 20;
const warmUpLooks = 5;
const dayMs = 86_400_000;

export const dashboardsBench: Bench = { name: 'dashboards', run: runDashboards };

async function runDashboards(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress } = context;
  const sides = [
    await startFilled(context, 'month', 1_000_000, 30),
    await startFilled(context, 'quarter', 3_000_000, 90),
  ] as const;
  const toFirst = (round: readonly RoundFigures[], index: number) => {
    const [first, side] = [round[0], round[index]];
    return index === 0 || first === undefined || side === undefined ? undefined : side.p50Ms / first.p50Ms;
  };
  const comparison = {
    title: 'Dashboards: six widgets over a fixed range of 30 days, one look after the other',
    sides: await measureSideBySide(sides, { rounds, signal, progress, ratio: toFirst }),
    ratioTitle: 'p50 ÷ that of the first',
    notes: [
      `${leadCount.toLocaleString('en')} leads of 5 sources and 10 assignees; a series of messages by day, the delivered rate, the ` +
        'median response time, the speed to lead by source, a table of three metrics by assignee, and the queue: one GraphQL ' +
        'request over HTTP.',
      `${rounds} rounds of ${looks} looks a side in turn. Nothing is remembered between looks.`,
    ],
  };
  return [comparison];
}

async function startFilled(
  context: BenchContext,
  databaseName: string,
  messageCount: number,
  days: number,
): Promise<Side> {
  const { signal, progress } = context;
  const product = await startProduct(context, { databaseName });
  progress(`storing ${messageCount} messages over ${days} days`);
  await storeConversations(product.databaseUrl, { tenantId: product.tenant.id, leadCount, messageCount, days, signal });
  await settle([product.databaseUrl]);
  const id = await createDashboard(product, signal);
  const look = () => ask(product, signal, lookDocument, { id });
  return {
    name: `Leadwire, ${messageCount.toLocaleString('en')} messages over ${days} days`,
    warmUp: async () => {
      for (let count = 0; count < warmUpLooks; count += 1) await look();
    },
    measure: () => measureLooks(look),
  };
}

async function measureLooks(look: () => Promise<unknown>): Promise<RoundFigures> {
  const timesMs = new Float64Array(looks);
  const startMs = performance.now();
  for (let index = 0; index < looks; index += 1) {
    const sentMs = performance.now();
    await look();
    timesMs[index] = performance.now() - sentMs;
  }
  const perSecond = (looks * 1_000) / (performance.now() - startMs);
  timesMs.sort();
  return { perSecond, p50Ms: percentile(timesMs, 0.5), p99Ms: percentile(timesMs, 0.99) };
}

const widgets = [
  { type: 'SERIES', title: 'Messages', metric: 'MESSAGES', bucket: 'DAY' },
  { type: 'FIGURE', title: 'Delivered', metric: 'DELIVERED_RATE' },
  { type: 'FIGURE', title: 'Response time', metric: 'RESPONSE_TIME_MEDIAN' },
  { type: 'BREAKDOWN', title: 'Speed to lead', metric: 'SPEED_TO_LEAD', dimension: 'SOURCE' },
  { type: 'TABLE', title: 'People', metrics: ['MESSAGES_SENT', 'READ_RATE', 'FAILED_RATE'], dimension: 'ASSIGNEE' },
  { type: 'FIGURE', title: 'Queue', metric: 'QUEUE_DEPTH' },
];

async function createDashboard(product: Product, signal: AbortSignal): Promise<string> {
  const range = { from: new Date(Date.now() - 30 * dayMs).toISOString(), to: new Date().toISOString() };
  const input = { name: 'Bench', timeZone: 'America/Sao_Paulo', range, widgets };
  const document = 'mutation ($input: CreateDashboardInput!) { createDashboard(input: $input) { id } }';
  const { createDashboard: created } = await ask<{ createDashboard: { id: string } }>(product, signal, document, {
    input,
  });
  return created.id;
}

const lookDocument = `query ($id: ID!) { dashboard(id: $id) { range { from to } widgets { id title
  ... on SeriesWidget { series: data { points { start end value } } }
  ... on FigureWidget { figure: data { value unit count total } }
  ... on BreakdownWidget { breakdown: data { slices { label value count } other { count } } }
  ... on TableWidget { table: data { lines { label cells { value count total } } } } } } }`;

async function ask<Data>(
  { url, tenant }: Product,
  signal: AbortSignal,
  query: string,
  variables: Record<string, unknown>,
): Promise<Data> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tenant.token}` };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
    signal,
  });
  const { data, errors } = (await response.json()) as { data?: Data; errors?: unknown };
  if (data === undefined || errors !== undefined) throw new Error(`a look failed: ${JSON.stringify(errors)}`);
  return data;
}
