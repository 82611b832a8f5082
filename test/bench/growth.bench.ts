// The cost of intake as data grows: the same load on a database that holds a million messages and on one that holds ten
// thousand, journal and events included.

import { chatNumbers, inboundPath, inboundRequests, leadCount } from './inbound-call.js';
import { HttpLoad } from './load.js';
import { confirmStored, countRows, describeShare, settle, type LoadedServer } from './loaded-server.js';
import { startProduct } from './product.js';
import { measureSideBySide, type Bench, type BenchContext, type Comparison, type Side } from './side-by-side.js';
import { replaceInbound } from './stored-messages.js';

const connections = 64;
const rounds = 7;
const roundMs = 3_000;
const warmUpMs = 500;
const manyMessages = 1_000_000;
const fewMessages = 10_000;

export const growthBench: Bench = { name: 'growth', run: runGrowth };

interface FilledServer extends LoadedServer {
  /** Resets its database to the number of messages that it began with. */
  refill: () => Promise<void>;
}

async function runGrowth(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress } = context;
  const many = await startFilled(context, 'many', manyMessages);
  const few = await startFilled(context, 'few', fewMessages);
  const sides = [sideOf(many), withRefill(few)] as const;
  const results = await confirmStored([many], () => measureSideBySide(sides, { rounds, signal, progress }));
  const comparison = {
    title: `Growth: \`POST ${inboundPath}\`, one new message a call, by what is stored already`,
    sides: results,
    ratioTitle: 'first ÷ side',
    notes: [
      `${connections} connections, ${leadCount} leads, ${rounds} rounds of about ${roundMs / 1_000} s a side in turn; every stored ` +
        'message has its event and its journal entry, and every acknowledged one was found afterwards.',
      'The smaller database is put back to its size before each of its turns; the larger one grows. Default settings of ' +
        'PostgreSQL (128 MB of shared buffers), one process and one database for each side.',
      describeShare([many, few]),
    ],
  };
  return [comparison];
}

async function startFilled(context: BenchContext, databaseName: string, messageCount: number): Promise<FilledServer> {
  const { signal } = context;
  const { url, databaseUrl, tenant, webhookSecret: secret } = await startProduct(context, { databaseName });
  const { apiKey, instanceName } = tenant;
  const nextRequest = inboundRequests({ messagePrefix: 'g', instanceName, apiKey, secret });
  const target = { url, path: inboundPath, method: 'POST', connections, signal } as const;
  const load = new HttpLoad({ ...target, nextRequest, expected: '"duplicate":false' });
  const stored = { tenantId: tenant.id, chatNumbers, messageCount, route: inboundPath, signal };
  const refill = () => replaceInbound(databaseUrl, stored);
  context.progress(`storing ${messageCount} messages`);
  await refill();
  await settle([databaseUrl]);
  const name = `Leadwire, ${messageCount.toLocaleString('en')} messages stored`;
  return { name, load, refill, countStored: () => countRows(databaseUrl, 'SELECT count(*) FROM messages') };
}

function sideOf({ name, load }: FilledServer): Side {
  return { name, warmUp: () => load.warmUp(warmUpMs), measure: () => load.measure(roundMs) };
}

// Without a refill, a turn of seconds would leave the database several times as large as it began.
function withRefill(server: FilledServer): Side {
  const { name, warmUp, measure } = sideOf(server);
  return {
    name,
    warmUp: async () => {
      await server.refill();
      await warmUp();
    },
    measure: () => confirmStored([server], measure),
  };
}
