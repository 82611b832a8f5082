// An instance at a gateway that keeps a history, and what is written through it: each message stands in the history, and a webhook brings
// it unless the gateway withholds it.

import { randomUUID } from 'node:crypto';
import { HistoryReader } from '../../../src/features/recovery/history-reader.js';
import { ReadingEvidence } from '../../../src/features/recovery/reading-evidence.js';
import { RecoveryService } from '../../../src/features/recovery/recovery.service.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { Transactor } from '../../../src/platform/database/transaction.js';
import { query } from '../../support/graphql-client.js';
import {
  InstanceHealthDocument,
  RecoverMessagesDocument,
  type RecoverMessagesMutation,
} from '../../support/operations.js';
import { EvolutionServer, type EvolutionRecord } from '../../support/evolution-server.js';
import { sharedApp } from '../../support/shared-app.js';
import { serviceOperator, withKey, type TestApp, type TestTenant } from '../../support/test-app.js';

export type Audit = RecoverMessagesMutation['recoverMessages'];

/** A message as its writer wrote it. */
export interface Written {
  /** The lead's number. */
  chat: string;
  text?: string;
  id?: string;
  /** The message was written on the phone, not by the lead. */
  fromMe?: boolean;
  at?: Date;
  /** No webhook brings the message. */
  isWithheld?: boolean;
  /** The content in place of a text. */
  message?: object;
  /** The statuses of an outbound message, in the words of the history. */
  updates?: readonly string[];
}

export class HistoryInstance {
  private constructor(
    readonly app: TestApp,
    readonly tenant: TestTenant,
    readonly server: EvolutionServer,
    readonly id: string,
    readonly name: string,
  ) {}

  /** @param connectedAgoMs the age of the instance, and of its connection */
  static async create(
    app: TestApp,
    tenant: TestTenant,
    server: EvolutionServer,
    connectedAgoMs = 3 * 86_400_000,
  ): Promise<HistoryInstance> {
    const name = `history-${randomUUID()}`;
    server.instances.set(name, 'open');
    const input = {
      accountId: tenant.admin.accountId,
      instanceName: name,
      provider: 'evolution',
      baseUrl: server.url,
      token: EvolutionServer.globalKey,
      isDefault: false,
    };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    const { id } = await app.app.services.chatInstances.create(serviceOperator, input, place);
    const since = new Date(Date.now() - connectedAgoMs);
    await app.sql('UPDATE chat_instances SET created_at = $2, connected_at = $2 WHERE id = $1', [id, since]);
    return new HistoryInstance(app, tenant, server, id, name);
  }

  /** Writes messages in their order. */
  async write(...written: readonly Written[]): Promise<EvolutionRecord[]> {
    const records = written.map((one) => this.store(one));
    for (const [index, record] of records.entries()) if (written[index]?.isWithheld !== true) await this.bring(record);
    return records;
  }

  /** Stores a message only in the history. */
  store({
    chat,
    text = 'Oi',
    id = randomUUID(),
    fromMe = false,
    at = new Date(),
    message,
    updates,
  }: Written): EvolutionRecord {
    const record = {
      key: { id, fromMe, remoteJid: `${chat}@s.whatsapp.net` },
      messageTimestamp: Math.floor(at.getTime() / 1_000),
      messageType: 'conversation',
      message: message ?? { conversation: text },
      ...(updates && { MessageUpdate: updates.map((status) => ({ status })) }),
    };
    const place = this.server.records.findIndex((other) => Number(other.messageTimestamp) <= record.messageTimestamp);
    this.server.records.splice(place === -1 ? this.server.records.length : place, 0, record);
    return record;
  }

  /** Brings records by a webhook. */
  async bring(...records: readonly EvolutionRecord[]): Promise<void> {
    const call = { event: 'messages.upsert', instance: this.name, data: records };
    const answer = await this.app.post('/webhooks/chat/gateway/inbound', call, withKey(this.tenant));
    if (answer.status !== 200) throw new Error(`the call was not taken: ${answer.status} ${await answer.text()}`);
  }

  async recover(since = new Date(Date.now() - 86_400_000), until = new Date(Date.now() + 1_000)): Promise<Audit> {
    const variables = { instanceId: this.id, since: since.toISOString(), until: until.toISOString() };
    return (await query(this.app, this.tenant.admin, RecoverMessagesDocument, variables)).recoverMessages;
  }

  async health() {
    const { chatInstance } = await query(this.app, this.tenant.operator, InstanceHealthDocument, { id: this.id });
    return chatInstance;
  }

  /** Reports a status of an outbound message, by a webhook. */
  async report(keyId: string, status: string): Promise<void> {
    const data = { keyId, remoteJid: 'x@s.whatsapp.net', fromMe: true, status };
    const call = { event: 'messages.update', instance: this.name, data };
    const answer = await this.app.post('/webhooks/chat/gateway/inbound', call, withKey(this.tenant));
    if (answer.status !== 200) throw new Error(`the call was not taken: ${answer.status} ${await answer.text()}`);
  }

  /** Messages of this instance in the order of conversations. */
  messages(chat: string) {
    return this.app.sql<{
      id: string;
      body: string | null;
      direction: string;
      createdAt: Date;
      receivedAt: Date | null;
    }>(
      `SELECT m.id, m.body, m.direction, m.created_at AS "createdAt", m.received_at AS "receivedAt" FROM messages m
       JOIN lead_identities i ON i.tenant_id = m.tenant_id AND i.lead_id = m.lead_id AND i.value = $3
       WHERE m.tenant_id = $1 AND m.instance_id = $2 ORDER BY m.position, m.id`,
      [this.tenant.id, this.id, chat],
    );
  }
}

export function minutesAgo(minutes: number): Date {
  return new Date(Date.now() - minutes * 60_000);
}

/**
 * Reads the due histories like the job, also after another server became primary at that time. Only tests run it: the application's own job
 * does not run.
 */
export function recoveriesOf(app: TestApp, promotedAtMs?: number): RecoveryService {
  const { database, notifier, audit, endpoints, webhooks, instanceHealth: health, metrics } = app.app.services;
  return new RecoveryService({
    database,
    transactor: new Transactor(database, notifier),
    audit,
    endpoints,
    reader: new HistoryReader({ database, webhooks }),
    evidence: new ReadingEvidence({ database, health, webhookGraceMs: 60_000 }),
    promotions: { findPromotion: () => Promise.resolve(promotedAtMs) },
    metrics,
    log: createLogger('silent'),
    intervalMinutes: 60,
    retentionDays: 30,
  });
}

/** Gives each test of a suite the shared application, a new tenant, and an instance at a gateway whose history is empty. */
export function withHistory(
  assign: (stage: { app: TestApp; tenant: TestTenant; server: EvolutionServer; instance: HistoryInstance }) => unknown,
): void {
  let server: EvolutionServer;

  beforeAll(async () => {
    server = await EvolutionServer.start();
  });
  beforeEach(async () => {
    const app = await sharedApp();
    server.records.length = 0;
    const tenant = await app.createTenant();
    assign({ app, tenant, server, instance: await HistoryInstance.create(app, tenant, server) });
  });
  afterAll(() => server.close());
}
