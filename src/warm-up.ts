// The warm-up of a process before it serves. Otherwise its first callers would wait for Prisma's query compiler, and for code that V8 has
// not compiled. All of it is done for a tenant that exists nowhere: no row can change, and no limit counts it.

import type { Database } from './platform/database/database.js';
import { within } from './platform/jobs/deadline.js';
import type { Logger } from './platform/observability/logger.js';
import type { UserPrincipal } from './platform/principal.js';
import { newRecordId } from './platform/database/record-id.js';
import type { GraphqlServer } from './transport/graphql/graphql-server.js';

export interface WarmUpParts {
  database: Database;
  /** Undefined where the process answers no operations. */
  execute: GraphqlServer['execute'] | undefined;
  log: Pick<Logger, 'info' | 'warn'>;
}

// V8 compiles code that has run some dozens of times.
const rounds = 10;
const atOnce = 5;

const inbox = 'query { inbox(first: 5) { edges { node { id lastMessage { body } } } } }';
const send = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { id } }';

/** Ends within the limit, and never fails: problems are logged, and the process serves all the same. */
export async function warmUp({ database, execute, log }: WarmUpParts, limitMs: number): Promise<void> {
  const startedAtMs = performance.now();
  const tookMs = () => Math.round(performance.now() - startedAtMs);
  const work = async () => {
    await database.prisma.$connect();
    if (execute === undefined) return;
    const user = createNobody();
    // The send finds no lead, so that nothing is queued.
    const toNoLead = () => ({ input: { leadId: newRecordId(), body: 'warm', idempotencyKey: newRecordId() } });
    const readAndSend = () => [
      execute(user, { query: inbox, variables: {} }),
      execute(user, { query: send, variables: toNoLead() }),
    ];
    for (let round = 0; round < rounds && tookMs() < limitMs; round += 1)
      await Promise.all(Array.from({ length: atOnce }, readAndSend).flat());
  };
  try {
    await within(limitMs, work(), () => {
      throw new Error(`it was not over after ${limitMs} ms`);
    });
    log.info({ tookMs: tookMs() }, 'warmed up');
  } catch (error) {
    log.warn({ err: error, tookMs: tookMs() }, 'the warm-up was given up: first calls may take longer');
  }
}

/** Makes a user of no tenant. */
function createNobody(): UserPrincipal {
  const [tenantId, userId, accountId] = [newRecordId(), newRecordId(), newRecordId()];
  return { kind: 'user', tenantId, userId, accountId, role: 'ADMIN', email: '', isPlatformTenant: false };
}
