// Typing: the lead sees that an operator answers, where the tenant wants it and the gateway can show it.

import { randomUUID } from 'node:crypto';
import { answering } from '../../providers/scripted-gateway.js';
import { execute, failureOf, query } from '../../support/graphql-client.js';
import { ShowTypingDocument, type ShowTypingMutationVariables } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp } from '../../support/test-app.js';
import { createLead, plainNumber, until } from '../messages/sending-harness.js';
import { CourtesyStage } from './courtesy-harness.js';

export function describeTyping(): void {
  let app: TestApp;
  let stage: CourtesyStage;

  beforeAll(async () => (app = await sharedApp()));
  afterEach(() => stage.server.close());

  const show = async (leadId: string, change: Partial<ShowTypingMutationVariables> = {}) =>
    (await query(app, stage.tenant.operator, ShowTypingDocument, { leadId, ...change })).showTyping;
  const untilTold = (action: string, count: number) =>
    until(
      () => stage.told(action),
      (told) => told.length >= count,
    );

  describe('through Evolution', () => {
    beforeEach(async () => {
      stage = await CourtesyStage.start(app, 'evolution');
      stage.server.script = ({ path }) =>
        path.startsWith('/chat/sendPresence/') ? answering(201, { presence: 'composing' }) : undefined;
    });

    test('it is shown once in 5 seconds, and taken back', async () => {
      await stage.choose({ showsTyping: true });
      const chat = plainNumber();
      const { leadId } = await stage.write(chat);
      expect([await show(leadId), await show(leadId), await show(leadId)]).toEqual([true, true, true]);
      expect(await show(leadId, { isTyping: false })).toBe(true);
      expect(await untilTold('sendPresence', 2)).toEqual([
        { number: chat, presence: 'composing', delay: 4_800 },
        { number: chat, presence: 'paused', delay: 0 },
      ]);
      // The first notice was taken back, so a new one is sent.
      expect(await show(leadId)).toBe(true);
      expect(await untilTold('sendPresence', 3)).toHaveLength(3);
    });

    test('false where the tenant has not chosen it, and for a lead that has not written through the instance', async () => {
      const { leadId } = await stage.write(plainNumber());
      expect(await show(leadId)).toBe(false);
      await stage.choose({ showsTyping: true });
      const silent = await createLead(app, stage.tenant);
      expect(await show(silent, { instanceId: stage.instance.id })).toBe(false);
      const { instance: foreign } = await app.createTenant();
      for (const instanceId of [randomUUID(), 'x', foreign.id]) {
        const answer = await execute(app, stage.tenant.operator, ShowTypingDocument, { leadId, instanceId });
        expect(failureOf(answer)).toMatchObject({ code: 'NOT_FOUND' });
      }
      // The lead did not write through the tenant's default instance either.
      expect(await show(leadId, { instanceId: stage.tenant.instance.id })).toBe(false);
      expect(stage.told('sendPresence')).toEqual([]);
    });

    test('false through a gateway that cannot show it', async () => {
      await stage.choose({ showsTyping: true });
      const { leadId } = await stage.write(plainNumber(), stage.tenant.instance.name);
      expect(await show(leadId)).toBe(false);
    });

    test('a gateway that asks for time is left alone', async () => {
      await stage.choose({ showsTyping: true });
      stage.server.always(answering(503, {}));
      const [one, other] = [await stage.write(plainNumber()), await stage.write(plainNumber())];
      expect(await show(one.leadId)).toBe(true);
      await untilTold('sendPresence', 1);
      const lost = /leadwire_typing_total\{provider="evolution",outcome="lost"\} [1-9]/;
      await until(
        () => app.app.services.metrics.render(),
        (text) => lost.test(text),
      );
      expect(await show(other.leadId)).toBe(true);
      expect(stage.told('sendPresence')).toHaveLength(1);
    });

    test('NOT_FOUND for a lead that is not there', async () => {
      const answer = await execute(app, stage.tenant.operator, ShowTypingDocument, { leadId: randomUUID() });
      expect(failureOf(answer).code).toBe('NOT_FOUND');
    });
  });

  describe('through Meta', () => {
    beforeEach(async () => {
      stage = await CourtesyStage.start(app, 'cloud');
      stage.server.always(answering(200, { success: true }));
    });

    test('only with read receipts: it marks the last message as read', async () => {
      await stage.choose({ showsTyping: true });
      const { leadId, externalId } = await stage.write(plainNumber());
      expect(await show(leadId)).toBe(false);
      await stage.choose({ sendsReadReceipts: true });
      expect(await show(leadId)).toBe(true);
      expect(await untilTold('messages', 1)).toEqual([
        {
          messaging_product: 'whatsapp',
          status: 'read',
          message_id: externalId,
          typing_indicator: { type: 'text' },
        },
      ]);
    });
  });
}
