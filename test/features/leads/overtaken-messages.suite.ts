// A lead's message that is being written while an operator answers, who has not seen it. The message stands after the answer and waits, and
// the next answer has to have seen it.

import { randomUUID } from 'node:crypto';
import { execute } from '../../support/graphql-client.js';
import { SendMessageDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { createLead, plainNumber, send, trySend } from '../messages/sending-harness.js';
import { createTenantWhoseSendsWait, hear, stateOf } from './conversation-harness.js';
import { findInconsistencies, transact, untilSomebodyWaits } from './lead-harness.js';

const inboundPath = '/webhooks/chat/gateway/inbound';

export function describeOvertakenMessages(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let number: string;
  let leadId: string;

  beforeAll(async () => {
    app = await sharedApp();
  });
  beforeEach(async () => {
    tenant = await createTenantWhoseSendsWait(app);
    number = plainNumber();
    leadId = await createLead(app, tenant, number);
  });
  afterEach(async () => {
    expect(await findInconsistencies(app, tenant)).toEqual([]);
  });

  /** Each body takes its own path: one message the fast path, several messages the general one. */
  const ways: [string, (externalId: string) => object][] = [
    ['by itself', (messageId) => ({ messageId, from: number, text: 'And one more thing' })],
    [
      'among others',
      (messageId) => ({
        messages: [
          { messageId: randomUUID(), from: plainNumber(), text: 'Oi' },
          { messageId, from: number, text: 'And one more thing' },
        ],
      }),
    ],
  ];

  /** Posts a message, and runs the work after it was read and before it is written. @returns the message */
  async function meanwhile(body: (externalId: string) => object, work: () => Promise<unknown>): Promise<string> {
    const externalId = randomUUID();
    const posted: Promise<Response>[] = [];
    const aside = transact(app, tenant, async (tx) => {
      // Another process seems to write the same message, and the service waits for it.
      await tx.query(
        `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, external_id)
         VALUES ($1, $2, $3, $4, 'INBOUND', 'text', 'Oi', $5)`,
        [tenant.id, randomUUID(), leadId, tenant.instance.id, externalId],
      );
      posted.push(app.post(inboundPath, body(externalId), withKey(tenant)));
      await untilSomebodyWaits(app);
      await work();
      throw new Error('it was not written after all');
    });
    await expect(aside).rejects.toThrow('it was not written after all');
    const [answer] = await Promise.all(posted);
    const { results } = (await answer!.json()) as { results: { messageId: string }[] };
    expect(answer!.status).toBe(200);
    return results.at(-1)!.messageId;
  }

  const answer = (body: string, expectedLastMessageId: string) =>
    execute(app, tenant.operator, SendMessageDocument, { input: { leadId, body, expectedLastMessageId } });

  test.each(ways)('%s: it stands after the answer that was recorded first, and waits', async (_way, body) => {
    const { messageId: seen } = await hear(app, tenant, number);
    let answerId = '';
    const late = await meanwhile(body, async () => {
      const { data, errors } = await answer('Bom dia', seen);
      expect(errors).toBeUndefined();
      answerId = data!.sendMessage.id;
      expect(await stateOf(app, tenant, leadId)).toMatchObject({ waitingSince: null });
    });
    expect(late > answerId).toBe(true);
    const state = await stateOf(app, tenant, leadId);
    expect(state.waitingSince).not.toBeNull();
    const refused = await answer('Ate logo', answerId);
    expect(refused.errors).toMatchObject([
      { extensions: { code: 'CONFLICT', unseenMessages: [{ body: 'And one more thing' }] } },
    ]);
    expect((await answer('Ate logo', late)).errors).toBeUndefined();
  });

  describe('an answer of another process, whose clock', () => {
    const idIn = (ms: number) => {
      const hex = (Date.now() + ms).toString(16).padStart(12, '0');
      return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${randomUUID().slice(24)}`;
    };
    /** Stores an answer under an id of its own. */
    async function answerAs(id: string): Promise<void> {
      const made = await send(app, tenant, { leadId, body: 'Bom dia' });
      await app.sql(
        `WITH entry AS (DELETE FROM outbox_entries WHERE message_id = $1), moved AS (UPDATE messages SET id = $2 WHERE id = $1)
         UPDATE leads SET last_answer_id = $2, last_message_id = $2 WHERE id = $3`,
        [made, id, leadId],
      );
    }

    test.each(ways)('is 3 s ahead: what comes next stands after it, %s', async (_way, body) => {
      const id = idIn(3_000);
      await answerAs(id);
      const response = await app.post(inboundPath, body(randomUUID()), withKey(tenant));
      const { results } = (await response.json()) as { results: { messageId: string }[] };
      expect(response.status).toBe(200);
      expect(results.at(-1)!.messageId > id).toBe(true);
      expect((await trySend(app, tenant, { leadId, body: 'Oi', expectedLastMessageId: id })).errors).toMatchObject([
        { extensions: { code: 'CONFLICT' } },
      ]);
    });

    test.each(ways)('is an hour ahead: what comes next is taken, and keeps its own time, %s', async (_way, body) => {
      await answerAs(idIn(3_600_000));
      const response = await app.post(inboundPath, body(randomUUID()), withKey(tenant));
      const { results } = (await response.json()) as { results: { messageId: string }[] };
      expect(response.status).toBe(200);
      expect(results.at(-1)!.messageId < idIn(60_000)).toBe(true);
    });
  });
}
