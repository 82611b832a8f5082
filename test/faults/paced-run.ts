// Plays cases of the pace: it requests their messages through the API, changes limits meanwhile, and kills workers. It then reads the
// evidence of the gateway and the database, which paced-verdict.ts judges.

import { setTimeout as delay } from 'node:timers/promises';
import { AccessTokens } from '../../src/features/auth/access-token.js';
import { createLead, gatewayToken, startSender, until } from '../features/messages/sending-harness.js';
import { execute, failureOf, query } from '../support/graphql-client.js';
import { SendMessageDocument, UpdateTenantDocument, type SendMessageInput } from '../support/operations.js';
import { jwtSecret, type TestApp, type TestTenant } from '../support/test-app.js';
import { maxDurationMs, type PacedCase, type PlannedMessage } from './paced-case.js';
import { PacedGateway } from './paced-gateway.js';
import type { LimitPeriod, PlayedCase } from './paced-verdict.js';
import { WorkerGroup, type Grant } from './worker-group.js';

/** A case whose messages have all been accepted by the API. */
export interface AskedCase {
  paced: PacedCase;
  tenant: TestTenant;
  /** Ids of each lead's messages, in the order of acceptance. */
  leads: string[][];
  limits: LimitPeriod[];
  /** Promises that the API itself broke. */
  broken: string[];
}

/** A blow after the pause: the oldest worker stalls for a while, or so many of the workers are killed at once. */
export type Blow = { pauseMs: number } & ({ stallMs: number } | { killCount: number });

// This is longer than any window, and longer than a living worker takes to store an answer.
const holdMs = maxDurationMs + 700;
const lookIntervalMs = 100;
const doneInMs = 240_000;
const tenantsAtOnce = 4;

const tokens = new AccessTokens({ secret: jwtSecret, previousSecret: undefined, ttlSeconds: 3_600 });

// The token endpoint has a limit of its own, which so many tenants would reach.
function withTokens(tenant: TestTenant): TestTenant {
  for (const user of [tenant.admin, tenant.operator])
    user.token = tokens.issue({ userId: user.id, tenantId: tenant.id }, user.idpSub).token;
  return tenant;
}

export class PacedRun {
  private constructor(
    private readonly gateway: PacedGateway,
    private readonly api: TestApp,
    readonly workers: WorkerGroup,
  ) {}

  /** Starts a gateway, an API and no worker yet; `resources` ends them. */
  static async start(resources: AsyncDisposableStack): Promise<PacedRun> {
    const gateway = await PacedGateway.start();
    resources.defer(() => gateway.close());
    const api = await startSender(gateway, { PROCESS_ROLE: 'api' });
    resources.defer(() => api.stop());
    const environment = { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gatewayToken, DATABASE_POOL_SIZE: '4' };
    const liveKeys = () => gateway.liveKeys();
    const workers = new WorkerGroup({ api, environment, holdMs, liveKeys });
    resources.defer(() => workers.stop());
    return new PacedRun(gateway, api, workers);
  }

  /** Requests the messages of all cases while the blows strike the workers. */
  async ask(cases: readonly PacedCase[], blows: readonly Blow[]): Promise<AskedCase[]> {
    const tenants = await this.createTenants(cases);
    const asking = Promise.all(tenants.map(({ paced, tenant }) => this.askFor(paced, tenant)));
    const [asked] = await Promise.all([asking, this.strikeInTurn(blows)]);
    return asked;
  }

  /** Resolves once at most this many messages wait. @throws Error after 4 minutes, naming some of the waiting messages */
  async untilWaiting(atMost: number): Promise<void> {
    const look = async () => {
      await delay(lookIntervalMs);
      await this.workers.endLeasesOfTheDead();
      return this.api.sql('SELECT * FROM outbox_entries LIMIT 50');
    };
    await until(look, (waiting) => waiting.length <= atMost, doneInMs);
  }

  async readPlayed({ paced, tenant, leads: ids, limits }: AskedCase): Promise<PlayedCase> {
    const statuses = await this.readStatuses(tenant);
    const leads = paced.leads.map((messages, lead) =>
      messages.map((planned, index) => {
        const id = ids[lead]?.[index] ?? '';
        return { ...planned, id, status: statuses.get(id) ?? 'missing' };
      }),
    );
    const texts = new Set(leads.flat().map(({ text }) => text));
    const arrivals = this.gateway.arrivals.filter(({ text }) => texts.has(text));
    const abandonedKeys = new Set(this.workers.abandoned.map(({ key }) => key));
    return { leads, limits, arrivals, grants: await this.readGrants(tenant), abandonedKeys };
  }

  // Creates no more tenants at once than the API has database connections, so that the setup does not become a test of its own.
  private async createTenants(cases: readonly PacedCase[]): Promise<{ paced: PacedCase; tenant: TestTenant }[]> {
    const waiting = cases.values();
    const created: { paced: PacedCase; tenant: TestTenant }[] = [];
    const createInTurn = async () => {
      for (const paced of waiting) {
        const limit = paced.limit === null ? {} : { chatRateLimit: paced.limit };
        created.push({ paced, tenant: withTokens(await this.api.createTenant(limit)) });
      }
    };
    await Promise.all(Array.from({ length: tenantsAtOnce }, createInTurn));
    return created;
  }

  private async strikeInTurn(blows: readonly Blow[]): Promise<void> {
    for (const blow of blows) {
      await delay(blow.pauseMs);
      if ('stallMs' in blow) await this.workers.stall(blow.stallMs);
      else await this.workers.replace(blow.killCount);
    }
  }

  private async askFor(paced: PacedCase, tenant: TestTenant): Promise<AskedCase> {
    this.gateway.plan(paced.leads.flat());
    const limits: LimitPeriod[] = [{ limit: paced.limit, from: -Infinity, to: Infinity }];
    const broken: string[] = [];
    const asking = Promise.all(paced.leads.map((messages) => this.askForLead(tenant, messages, broken)));
    const [leads] = await Promise.all([asking, this.changeLimit(paced, tenant, limits)]);
    return { paced, tenant, leads, limits, broken };
  }

  // Sends one message after the other, so that the order of acceptance is known.
  private async askForLead(
    tenant: TestTenant,
    messages: readonly PlannedMessage[],
    broken: string[],
  ): Promise<string[]> {
    const leadId = await createLead(this.api, tenant);
    const ids: string[] = [];
    for (const { text, pauseMs, isRepeated } of messages) {
      await delay(pauseMs);
      const input = { leadId, body: text, idempotencyKey: text };
      const id = await this.sendUntilTaken(tenant, input);
      const again = isRepeated ? await this.sendUntilTaken(tenant, input) : id;
      if (again !== id) broken.push(`"${text}" became two messages`);
      ids.push(id);
    }
    return ids;
  }

  // On a slow machine the API refuses some of what fifty tenants ask for at once, until a connection is free: its callers ask again.
  private async sendUntilTaken(tenant: TestTenant, input: SendMessageInput): Promise<string> {
    const taken = await until(
      () => execute(this.api, tenant.operator, SendMessageDocument, { input }),
      (answer) => failureOf(answer).code !== 'UNAVAILABLE',
    );
    if (taken.data == null) throw new Error(`the operation failed: ${JSON.stringify(taken.errors)}`);
    return taken.data.sendMessage.id;
  }

  private async changeLimit({ change }: PacedCase, tenant: TestTenant, limits: LimitPeriod[]): Promise<void> {
    const [before] = limits;
    if (change === null || before === undefined) return;
    await delay(change.afterMs);
    const from = await this.databaseTime();
    const input = { chatRateLimit: change.limit };
    await query(this.api, tenant.admin, UpdateTenantDocument, { id: tenant.id, input });
    before.to = await this.databaseTime();
    limits.push({ limit: change.limit, from, to: Infinity });
  }

  private async databaseTime(): Promise<number> {
    const [now] = await this.api.sql<{ at: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at',
    );
    return now?.at ?? 0;
  }

  private async readStatuses(tenant: TestTenant): Promise<Map<string, string>> {
    const text = 'SELECT id, status FROM messages WHERE tenant_id = $1';
    const rows = await this.api.sql<{ id: string; status: string }>(text, [tenant.id]);
    return new Map(rows.map(({ id, status }) => [id, status]));
  }

  private async readGrants(tenant: TestTenant): Promise<Grant[]> {
    const rows = await this.api.sql<Grant>(
      `SELECT message_id AS key, number AS attempt, extract(epoch FROM granted_at)::float8 * 1000 AS at
       FROM send_attempts WHERE tenant_id = $1`,
      [tenant.id],
    );
    const original = ({ key, attempt }: Grant) =>
      this.workers.abandoned.find((grant) => grant.key === key && grant.attempt === attempt);
    return rows.map((grant) => original(grant) ?? grant);
  }
}
