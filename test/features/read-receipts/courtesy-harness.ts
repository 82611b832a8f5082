// A tenant with an instance at a gateway that a test plays, and the messages that leads write through it.

import { randomUUID } from 'node:crypto';
import type { ScriptedRequest } from '../../providers/scripted-gateway.js';
import { CloudServer } from '../../support/cloud-server.js';
import { EvolutionServer } from '../../support/evolution-server.js';
import { query } from '../../support/graphql-client.js';
import { SetChannelChoicesDocument, type UpdateTenantInput } from '../../support/operations.js';
import { serviceOperator, withKey, type TestApp, type TestTenant } from '../../support/test-app.js';

export interface Written {
  leadId: string;
  externalId: string;
}

export class CourtesyStage {
  private constructor(
    readonly app: TestApp,
    readonly tenant: TestTenant,
    readonly server: EvolutionServer | CloudServer,
    readonly instance: { id: string; name: string },
  ) {}

  static async start(app: TestApp, provider: 'evolution' | 'cloud'): Promise<CourtesyStage> {
    const server = await (provider === 'cloud' ? CloudServer.start() : EvolutionServer.start());
    const stage = new CourtesyStage(app, await app.createTenant(), server, { id: '', name: 'acme' });
    stage.instance.id = await stage.addInstance(stage.instance.name);
    return stage;
  }

  async addInstance(instanceName: string): Promise<string> {
    const { app, tenant, server } = this;
    const isMeta = server instanceof CloudServer;
    const input = {
      accountId: tenant.admin.accountId,
      instanceName,
      provider: isMeta ? 'cloud' : 'evolution',
      baseUrl: server.url,
      token: isMeta ? server.token : EvolutionServer.globalKey,
      metadata: isMeta ? { phoneNumberId: CloudServer.phoneNumberId } : null,
    };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    return (await app.app.services.chatInstances.create(serviceOperator, input, place)).id;
  }

  async choose(input: UpdateTenantInput): Promise<void> {
    await query(this.app, this.tenant.admin, SetChannelChoicesDocument, { id: this.tenant.id, input });
  }

  /** Lets a lead write through the instance. */
  async write(from: string, instance = this.instance.name): Promise<Written> {
    const externalId = `3EB0${randomUUID()}`;
    const message = { instance, messageId: externalId, from, type: 'text', text: 'Oi', timestamp: Date.now() / 1_000 };
    const body = { ...message, timestamp: Math.floor(message.timestamp) };
    const answer = await this.app.post('/webhooks/chat/gateway/inbound', body, withKey(this.tenant));
    const { results } = (await answer.json()) as { results: { leadId: string }[] };
    return { leadId: results[0]?.leadId ?? '', externalId };
  }

  /** The bodies that the gateway got, by the end of the path: `markMessageAsRead`. */
  told(action: string): unknown[] {
    return this.requestsTo(action).map(({ body }) => body);
  }

  requestsTo(action: string): ScriptedRequest[] {
    return this.server.requests.filter(({ path }) => path.split('/').includes(action));
  }
}
