// Read receipts: an operator marks a lead as read, and the gateway learns of it, where the tenant wants it.

import { randomUUID } from 'node:crypto';
import { positionAt } from '../../../src/features/leads/conversation/position.js';
import { ReadReceiptService } from '../../../src/features/read-receipts/read-receipt.service.js';
import { answering } from '../../providers/scripted-gateway.js';
import { CloudServer } from '../../support/cloud-server.js';
import { evolutionError } from '../../support/evolution-server.js';
import { query } from '../../support/graphql-client.js';
import { MarkLeadReadDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp } from '../../support/test-app.js';
import { plainNumber, until } from '../messages/sending-harness.js';
import { CourtesyStage, type Written } from './courtesy-harness.js';

export function describeReadReceipts(): void {
  let app: TestApp;
  let stage: CourtesyStage;

  beforeAll(async () => (app = await sharedApp()));
  afterEach(() => stage.server.close());

  const markRead = (id: string, upToMessageId?: string) =>
    query(app, stage.tenant.operator, MarkLeadReadDocument, { id, upToMessageId });
  const receiptsOf = async (count: number) =>
    until(
      () => stage.told(stage.server instanceof CloudServer ? 'messages' : 'markMessageAsRead'),
      (told) => told.length >= count,
    );
  const evolutionReceipt = (chat: string, { externalId: id }: Written) => ({
    readMessages: [{ remoteJid: `${chat}@s.whatsapp.net`, fromMe: false, id }],
  });

  /** Waits until earlier receipts have been looked at: this lead's receipt comes after them. */
  async function othersAreTold(instance?: string): Promise<void> {
    const chat = plainNumber();
    const written = await stage.write(chat, instance);
    await markRead(written.leadId);
    await until(
      () => stage.told('markMessageAsRead'),
      (told) => told.some((body) => JSON.stringify(body) === JSON.stringify(evolutionReceipt(chat, written))),
    );
  }

  describe('through Evolution', () => {
    beforeEach(async () => {
      stage = await CourtesyStage.start(app, 'evolution');
      stage.server.script = ({ path }) =>
        path.startsWith('/chat/markMessageAsRead/')
          ? answering(201, { message: 'Read messages', read: 'success' })
          : undefined;
    });

    test('only the newest of the messages that were read is told', async () => {
      await stage.choose({ sendsReadReceipts: true });
      const chat = plainNumber();
      const [, newest] = [await stage.write(chat), await stage.write(chat)];
      await markRead(newest.leadId);
      expect(await receiptsOf(1)).toEqual([evolutionReceipt(chat, newest)]);
    });

    test('a message that came after what was read stays unread', async () => {
      await stage.choose({ sendsReadReceipts: true });
      const chat = plainNumber();
      const first = await stage.write(chat);
      const [message] = await app.sql<{ id: string }>('SELECT id FROM messages WHERE external_id = $1', [
        first.externalId,
      ]);
      await stage.write(chat);
      await markRead(first.leadId, message?.id);
      expect(await receiptsOf(1)).toEqual([evolutionReceipt(chat, first)]);
    });

    test('a tenant that has not chosen it tells nothing, also not later', async () => {
      const chat = plainNumber();
      const { leadId } = await stage.write(chat);
      await markRead(leadId);
      await stage.choose({ sendsReadReceipts: true });
      await markRead(leadId);
      await othersAreTold();
      expect(stage.told('markMessageAsRead')).toHaveLength(1);
    });

    test('each instance is told what came through it', async () => {
      await stage.choose({ sendsReadReceipts: true });
      const chat = plainNumber();
      const ours = await stage.write(chat);
      // The second message comes through the tenant's default instance, whose gateway has no read receipts.
      const { leadId } = await stage.write(chat, stage.tenant.instance.name);
      expect(leadId).toBe(ours.leadId);
      await markRead(leadId);
      expect(await receiptsOf(1)).toEqual([evolutionReceipt(chat, ours)]);
    });

    test('what the gateway cannot take now is tried again; what it refuses is not', async () => {
      await stage.choose({ sendsReadReceipts: true });
      let failures = 2;
      stage.server.script = () => {
        failures -= 1;
        return failures >= 0 ? evolutionError(503, 'not now') : answering(201, { read: 'success' });
      };
      const chat = plainNumber();
      const { leadId } = await stage.write(chat);
      await markRead(leadId);
      await receiptsOf(3);
      stage.server.script = ({ body }) =>
        JSON.stringify(body).includes(chat) ? evolutionError(400, 'no such chat') : answering(201, {});
      await stage.write(chat);
      await markRead(leadId);
      await receiptsOf(4);
      await othersAreTold();
      expect(stage.told('markMessageAsRead')).toHaveLength(5);
    });

    test('nothing is told through an instance that is out', async () => {
      await stage.choose({ sendsReadReceipts: true });
      const { leadId } = await stage.write(plainNumber());
      await stage.addInstance('acme-2');
      await app.sql("UPDATE chat_instances SET status = 'DISCONNECTED' WHERE id = $1", [stage.instance.id]);
      await markRead(leadId);
      await othersAreTold('acme-2');
      expect(stage.requestsTo('markMessageAsRead').map(({ path }) => path)).toEqual(['/chat/markMessageAsRead/acme-2']);
    });
  });

  describe('through Meta', () => {
    beforeEach(async () => {
      stage = await CourtesyStage.start(app, 'cloud');
      stage.server.script = ({ body }) =>
        (body as { status?: string }).status === 'read' ? answering(200, { success: true }) : undefined;
    });

    test('the message is marked as read', async () => {
      await stage.choose({ sendsReadReceipts: true });
      const written = await stage.write(plainNumber());
      await markRead(written.leadId);
      expect(await receiptsOf(1)).toEqual([
        { messaging_product: 'whatsapp', status: 'read', message_id: written.externalId },
      ]);
      expect(stage.server.requests[0]?.path).toBe(`/v24.0/${CloudServer.phoneNumberId}/messages`);
    });
  });

  describe('bounds', () => {
    beforeEach(async () => (stage = await CourtesyStage.start(app, 'evolution')));

    test('a tenant has its share of what waits: more is dropped, and another tenant has room', async () => {
      const { database, endpoints } = app.app.services;
      const asked: string[] = [];
      // The choices of these tenants are not known yet.
      const choices = { of: (tenantId: string) => (asked.push(tenantId), new Promise<never>(() => undefined)) };
      const log = { warn: () => undefined, error: () => undefined } as never;
      const bounds = { concurrency: 1, totalConcurrency: 8, maxWaitingPerTenant: 3, maxWaiting: 100 };
      const dropped: unknown[] = [];
      const counted = { readReceipts: { inc: (labels: unknown) => dropped.push(labels) } } as never;
      const service = new ReadReceiptService({ database, endpoints, choices, metrics: counted, log, ...bounds });
      const [one, other] = [randomUUID(), randomUUID()];
      const read = () => ({ leadId: randomUUID(), upTo: String(positionAt(new Date())), count: 1 });
      // The service looks the first receipt up, so it waits no more.
      service.add(one, read());
      for (let count = 0; count < 5; count += 1) service.add(one, read());
      expect(dropped).toEqual([
        { provider: 'unknown', outcome: 'dropped' },
        { provider: 'unknown', outcome: 'dropped' },
      ]);
      service.add(other, read());
      expect(dropped).toHaveLength(2);
      await until(
        () => asked,
        (tenants) => tenants.includes(other),
      );
    });
  });
}
