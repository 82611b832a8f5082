// Opting out and in: by keywords and by users, the ledger, the canceled messages and the sends that stay possible.

import { randomUUID } from 'node:crypto';
import { startGatewaySimulator, type GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { execute, query } from '../../support/graphql-client.js';
import {
  BulkSendDocument,
  MergeLeadsDocument,
  OptedOutDashboardDocument,
  OptInLeadDocument,
  OptOutLeadDocument,
  OptOutsDocument,
  SendMessagesDocument,
  UndoLeadMergeDocument,
} from '../../support/operations.js';
import { withToken, type TestApp, type TestTenant } from '../../support/test-app.js';
import { createTemplate, messagesOf, recipientsOf } from '../bulk-sends/bulk-harness.js';
import {
  createLead,
  gatewayToken,
  plainNumber,
  readMessage,
  renewInstance,
  send,
  startSender,
  stateOf,
  trySend,
  until,
  waitForEmptyOutbox,
  waitForStatus,
} from '../messages/sending-harness.js';
import { hoursFromNow, logOf, optOutOf, setKeywords, write } from './consent-harness.js';

const later = () => new Date(Date.now() + 86_400_000).toISOString();

export function describeConsent(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    simulator = await startGatewaySimulator({ token: gatewayToken, seed: 1, defaults: { latencyMs: 0, replyRate: 0 } });
    app = await startSender(simulator);
  });
  beforeEach(async () => {
    simulator.clearHistory();
    tenant = await app.createTenant();
    await renewInstance(app, tenant);
  });
  afterAll(async () => {
    await simulator.close();
    await app.stop();
  });

  /** A lead that has written once, so that the fast path knows it. */
  async function knownLead(): Promise<{ number: string; leadId: string }> {
    const number = plainNumber();
    const { leadId } = await write(app, tenant, number, { text: 'Bom dia' });
    await write(app, tenant, number, { text: 'Tudo bem?' });
    return { number, leadId };
  }

  async function sendToAll(leadIds: readonly string[], more: object = {}) {
    const templateId = await createTemplate(app, tenant);
    const input = { templateId, recipients: recipientsOf(leadIds), idempotencyKey: randomUUID(), ...more };
    return execute(app, tenant.operator, SendMessagesDocument, { input });
  }

  async function sentToAll(leadIds: readonly string[], more: object = {}): Promise<string> {
    return (await sendToAll(leadIds, more)).data?.sendMessages.id ?? '';
  }

  const codeOf = (answer: { errors?: readonly { extensions: { code: string } }[] }) =>
    answer.errors?.[0]?.extensions.code;
  const textsTo = () => simulator.attempts().map(({ text }) => text);

  describe('keywords', () => {
    test.each([
      'STOP',
      'stop',
      ' Stop! ',
      'sair.',
      'Parar',
      'CANCELÁR',
      'baja !',
      'Unsubscribe',
      '\u200fSTOP',
      'ST\u200bOP',
      'Stop!!',
      'STOP 🛑',
      '"STOP"',
      '*STOP*',
      'stop, stop',
    ])('%j opts out, and the ledger has the evidence', async (text) => {
      const { number, leadId } = await knownLead();
      const { status, messageId, leadId: sameLead } = await write(app, tenant, number, { text });
      expect([status, sameLead]).toEqual([200, leadId]);
      expect(await optOutOf(app, tenant, leadId)).toMatchObject({
        source: 'KEYWORD',
        message: { id: messageId, body: text.trim() === text ? text : expect.any(String) },
      });
      const [entry, ...others] = await logOf(app, tenant, leadId);
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ action: 'OPT_OUT', isSuperseded: false, message: { id: messageId }, user: null });
      const [call] = await app.sql('SELECT outcome FROM webhook_deliveries WHERE tenant_id = $1 AND id = $2', [
        tenant.id,
        entry?.webhookDeliveryId,
      ]);
      expect(call).toEqual({ outcome: 'processed' });
    });

    test.each([
      'please stop',
      'STOP it',
      'STOPP',
      'end of story',
      '!',
      '.',
      `STOP${' '.repeat(50)}or not`,
      `STOP ${'ä'.repeat(50)}`,
    ])('%j does not', async (text) => {
      const { number, leadId } = await knownLead();
      await write(app, tenant, number, { text });
      expect(await optOutOf(app, tenant, leadId)).toBeNull();
      expect(await logOf(app, tenant, leadId)).toEqual([]);
    });

    test('the first words of a stranger, and one that was read together with others', async () => {
      const stranger = await write(app, tenant, plainNumber(), { text: 'Stop' });
      expect(await optOutOf(app, tenant, stranger.leadId)).toMatchObject({ keyword: 'STOP' });
      const { number, leadId } = await knownLead();
      const messages = ['Oi', 'STOP', 'START', 'STOP'].map((text) => ({ messageId: randomUUID(), from: number, text }));
      const { apiKey } = tenant;
      const answer = await app.post('/webhooks/chat/gateway/inbound', { messages }, { 'x-tenant-key': apiKey });
      expect(await answer.json()).toMatchObject({ accepted: 4 });
      expect((await logOf(app, tenant, leadId)).map(({ action }) => action)).toEqual(['OPT_OUT', 'OPT_IN', 'OPT_OUT']);
      expect(await optOutOf(app, tenant, leadId)).not.toBeNull();
    });

    test('START opts in again; a repeated call changes nothing', async () => {
      const { number, leadId } = await knownLead();
      const stop = { text: 'STOP', messageId: randomUUID() };
      await write(app, tenant, number, stop);
      await write(app, tenant, number, { text: 'voltar' });
      expect(await optOutOf(app, tenant, leadId)).toBeNull();
      await write(app, tenant, number, stop);
      expect(await optOutOf(app, tenant, leadId)).toBeNull();
      expect(await logOf(app, tenant, leadId)).toHaveLength(2);
    });

    test('a word that was written before the latest one, and comes after it, is kept and counts no more', async () => {
      const { number, leadId } = await knownLead();
      await write(app, tenant, number, { text: 'START', timestamp: hoursFromNow(-1) });
      await write(app, tenant, number, { text: 'STOP', timestamp: hoursFromNow(-2) });
      expect(await optOutOf(app, tenant, leadId)).toBeNull();
      expect((await logOf(app, tenant, leadId)).map(({ isSuperseded }) => isSuperseded)).toEqual([true, false]);
    });

    test('what a user entered is ended by a lead’s later word only', async () => {
      const { number, leadId } = await knownLead();
      await query(app, tenant.operator, OptOutLeadDocument, { id: leadId, reason: 'on the phone' });
      await write(app, tenant, number, { text: 'START', timestamp: hoursFromNow(-1) });
      expect(await optOutOf(app, tenant, leadId)).toMatchObject({ source: 'USER' });
      await write(app, tenant, number, { text: 'START' });
      expect(await optOutOf(app, tenant, leadId)).toBeNull();
    });

    test('a word as long as words may be, written with accents and an end', async () => {
      const { number, leadId } = await knownLead();
      const keyword = `${'não quero '.repeat(3)}mais nada!`;
      const words = { optOutKeywords: [keyword], optInKeywords: [], optOutReply: null };
      await setKeywords(app, tenant, words);
      await write(app, tenant, number, {
        text: ` ${keyword.replaceAll('ã', 'a\u0303').toUpperCase().replace('!', '   .')}`,
      });
      expect(await optOutOf(app, tenant, leadId)).toMatchObject({ keyword });
    });

    test('the tenant’s own words count from the moment at which they are set, in another process too', async () => {
      const { number, leadId } = await knownLead();
      const other = await startSender(simulator, {}, app.database);
      try {
        const words = { optOutKeywords: ['Não quero'], optInKeywords: ['quero'], optOutReply: null };
        expect(await setKeywords(other, tenant, words)).toMatchObject(words);
        await write(app, tenant, number, { text: 'STOP' });
        expect(await optOutOf(app, tenant, leadId)).toBeNull();
        await write(app, tenant, number, { text: 'NAO QUERO!' });
        expect(await optOutOf(app, tenant, leadId)).toMatchObject({ keyword: 'Não quero' });
        await setKeywords(other, tenant, { optOutKeywords: [], optInKeywords: [] });
        await write(app, tenant, number, { text: 'quero' });
        expect(await optOutOf(app, tenant, leadId)).not.toBeNull();
      } finally {
        await other.stop({ keepDatabase: true });
      }
    });

    test.each([
      [{ optOutKeywords: Array.from({ length: 51 }, (_, index) => `w${index}`) }, 'optOutKeywords'],
      [{ optOutKeywords: ['x'.repeat(41)] }, 'optOutKeywords.0'],
      [{ optOutKeywords: ['ok', '!'] }, 'optOutKeywords.1'],
      [{ optInKeywords: ['volte', 'Stop.'] }, 'optInKeywords.1'],
      [{ optOutReply: 'x'.repeat(1_001) }, 'optOutReply'],
    ])('words out of bounds are refused: %#', async (input, path) => {
      await expect(setKeywords(app, tenant, input)).rejects.toThrow(path);
    });

    test('the reply leaves once, as nobody’s message, through the instance that was written to', async () => {
      await setKeywords(app, tenant, { optOutReply: 'You get no more messages.' });
      const { number, leadId } = await knownLead();
      await write(app, tenant, number, { text: 'STOP' });
      await write(app, tenant, number, { text: 'STOP' });
      await waitForEmptyOutbox(app);
      expect(textsTo()).toEqual(['You get no more messages.']);
      const [reply] = await app.sql<{ id: string }>(
        "SELECT id FROM messages WHERE lead_id = $1 AND direction = 'OUTBOUND' AND author_id IS NULL",
        [leadId],
      );
      const { timeline } = await readMessage(app, tenant, reply?.id ?? '');
      expect(timeline[0]).toMatchObject({ toStatus: 'QUEUED', source: 'system' });
    });
  });

  describe('what waits', () => {
    test('bulk and schedules are canceled in the same commit; a reply leaves', async () => {
      await app.sql("UPDATE chat_instances SET outbound_paused_until = now() + interval '1 hour' WHERE id = $1", [
        tenant.instance.id,
      ]);
      const { number, leadId } = await knownLead();
      const other = await createLead(app, tenant);
      const bulkSendId = await sentToAll([leadId, other]);
      const scheduled = await send(app, tenant, { leadId, body: 'Later', sendAt: later() });
      const reply = await send(app, tenant, { leadId, body: 'A reply' });
      await write(app, tenant, number, { text: 'STOP' });
      const messages = await messagesOf(app, bulkSendId);
      expect(messages.map((message) => [message.leadId, message.status])).toEqual(
        expect.arrayContaining([
          [leadId, 'CANCELED'],
          [other, 'QUEUED'],
        ]),
      );
      const canceled = await readMessage(app, tenant, scheduled);
      expect(canceled).toMatchObject({ status: 'CANCELED', error: { code: 'OPTED_OUT' } });
      expect(canceled.timeline.at(-1)).toMatchObject({ toStatus: 'CANCELED', source: 'system' });
      await app.sql('UPDATE chat_instances SET outbound_paused_until = NULL WHERE id = $1', [tenant.instance.id]);
      app.app.services.dispatcher.wake(tenant.id);
      await waitForStatus(app, reply, 'SENT');
      await waitForEmptyOutbox(app);
      expect(textsTo().filter((text) => text === 'A reply')).toHaveLength(1);
      expect(simulator.attempts()).toHaveLength(2);
    });

    test('what was tried before, and what may have been sent, leaves no more', async () => {
      const { number, leadId } = await knownLead();
      simulator.behave({ failRate: 1 }, tenant.instance.name);
      const tried = await sentToAll([leadId]);
      await until(
        () => app.sql('SELECT 1 FROM outbox_entries WHERE attempt_count > 0 AND lease_until IS NULL'),
        (rows) => rows.length === 1,
      );
      await write(app, tenant, number, { text: 'STOP' });
      expect((await messagesOf(app, tried)).map(({ status }) => status)).toEqual(['CANCELED']);

      await write(app, tenant, number, { text: 'START' });
      simulator.behave({ failRate: 0 }, tenant.instance.name);
      await app.sql('UPDATE chat_instances SET outbound_paused_until = NULL');
      const lost = await sentToAll([leadId], { sendAt: later() });
      // The pause keeps workers from taking the message.
      await app.sql("UPDATE chat_instances SET outbound_paused_until = now() + interval '1 hour'");
      // Simulates a worker that died after it had handed the message over.
      await app.sql(
        `UPDATE outbox_entries SET scheduled_at = NULL, attempt_count = 1, lease_until = now() - interval '1 s' WHERE tenant_id = $1`,
        [tenant.id],
      );
      await app.sql(`UPDATE messages SET status = 'SENDING' WHERE bulk_send_id = $1`, [lost]);
      await app.sql(
        `INSERT INTO send_attempts (tenant_id, message_id, number, granted_at)
         SELECT tenant_id, id, 1, now() FROM messages WHERE bulk_send_id = $1`,
        [lost],
      );
      simulator.clearHistory();
      await write(app, tenant, number, { text: 'STOP' });
      const [message] = await messagesOf(app, lost);
      expect(await stateOf(app, message?.id ?? '')).toMatchObject({ status: 'SENDING', errorCode: 'SEND_UNCONFIRMED' });
      await waitForEmptyOutbox(app);
      expect(simulator.attempts()).toEqual([]);
      const retried = await app.app.services.cancelRetry
        .retry(operatorPrincipal(), message?.id ?? '')
        .catch((error: unknown) => error);
      expect(retried).toMatchObject({ code: 'OPTED_OUT' });
    });

    test('a message that is being handed over is waited for', async () => {
      const { number, leadId } = await knownLead();
      simulator.behave({ latencyMs: 600 }, tenant.instance.name);
      const bulkSendId = await sentToAll([leadId]);
      await until(
        () => simulator.attempts(),
        (attempts) => attempts.length === 1,
      );
      await write(app, tenant, number, { text: 'STOP' });
      expect((await messagesOf(app, bulkSendId)).map(({ status }) => status)).toEqual(['SENT']);
    });

    test('what was queued past the check of sendMessages is ended by the claim', async () => {
      const { leadId } = await knownLead();
      const bulkSendId = await sentToAll([leadId], { sendAt: later() });
      const [waiting] = await app.sql<{ row: object }>(
        'SELECT to_jsonb(o) AS row FROM outbox_entries o WHERE tenant_id = $1',
        [tenant.id],
      );
      await query(app, tenant.operator, OptOutLeadDocument, { id: leadId, reason: 'asked' });
      await app.sql(
        "UPDATE messages SET status = 'QUEUED', error_code = NULL, error_message = NULL WHERE bulk_send_id = $1",
        [bulkSendId],
      );
      // The entry comes last, because the dispatcher may take it at once.
      await app.sql(
        `INSERT INTO outbox_entries SELECT * FROM jsonb_populate_record(NULL::outbox_entries, $1::jsonb || '{"scheduled_at": null}')`,
        [JSON.stringify(waiting?.row)],
      );
      app.app.services.dispatcher.wake(tenant.id);
      await waitForEmptyOutbox(app);
      const [message] = await messagesOf(app, bulkSendId);
      expect(await stateOf(app, message?.id ?? '')).toMatchObject({ status: 'CANCELED', errorCode: 'OPTED_OUT' });
      expect(simulator.attempts()).toEqual([]);
    });
  });

  describe('sending afterwards', () => {
    test('a reply within 24 hours of the lead’s last message; no schedule, and nothing later', async () => {
      const number = plainNumber();
      const { leadId } = await write(app, tenant, number, { text: 'STOP', timestamp: hoursFromNow(-25) });
      expect(codeOf(await trySend(app, tenant, { leadId, body: 'Oi' }))).toBe('OPTED_OUT');
      await write(app, tenant, number, { text: 'Wait', timestamp: hoursFromNow(-23) });
      await waitForStatus(app, await send(app, tenant, { leadId, body: 'Oi' }), 'SENT');
      const templateId = await createTemplate(app, tenant);
      await send(app, tenant, { leadId, templateId });
      expect(codeOf(await trySend(app, tenant, { leadId, body: 'Oi', sendAt: later() }))).toBe('OPTED_OUT');
    });

    test('sendMessages leaves opted-out leads out, or refuses', async () => {
      const [one, two, three] = [
        await createLead(app, tenant),
        await createLead(app, tenant),
        await createLead(app, tenant),
      ];
      await query(app, tenant.operator, OptOutLeadDocument, { id: two, reason: 'asked' });
      const refused = await sendToAll([one, two, three], { onOptedOut: 'REFUSE' });
      expect(refused.errors?.[0]?.extensions).toMatchObject({
        code: 'OPTED_OUT',
        errors: [{ path: 'recipients.1.leadId' }],
      });
      const id = await sentToAll([one, two, three]);
      const { bulkSend } = await query(app, tenant.operator, BulkSendDocument, { id });
      expect(bulkSend).toMatchObject({ total: 2, skipped: 1 });
      const none = await sentToAll([two]);
      expect((await query(app, tenant.operator, BulkSendDocument, { id: none })).bulkSend).toMatchObject({
        total: 0,
        skipped: 1,
      });
      await waitForEmptyOutbox(app);
      expect((await messagesOf(app, id)).map(({ leadId }) => leadId).toSorted()).toEqual([one, three].toSorted());
    });
  });

  describe('by a user', () => {
    test('out and in, with a reason, audited and safe to repeat', async () => {
      const leadId = await createLead(app, tenant);
      const reason = 'asked on the phone';
      const out = () => query(app, tenant.operator, OptOutLeadDocument, { id: leadId, reason });
      const { optOutLead } = await out();
      expect(optOutLead).toMatchObject({ id: leadId, optOut: { source: 'USER', keyword: null, message: null } });
      expect(await out()).toEqual({ optOutLead });
      const { optInLead } = await query(app, tenant.operator, OptInLeadDocument, { id: leadId, reason: 'and again' });
      expect(optInLead).toMatchObject({ optOut: null });
      expect(await logOf(app, tenant, leadId)).toMatchObject([
        { action: 'OPT_IN', reason: 'and again', user: { id: tenant.operator.id } },
        { action: 'OPT_OUT', reason, user: { id: tenant.operator.id } },
      ]);
      const audited = await app.sql(
        'SELECT action, after FROM audit_entries WHERE tenant_id = $1 AND target_id = $2 ORDER BY id',
        [tenant.id, leadId],
      );
      expect(audited).toEqual([
        { action: 'LEAD_OPTED_OUT', after: null },
        { action: 'LEAD_OPTED_IN', after: null },
      ]);
      const events = await app.sql(
        "SELECT data FROM events WHERE lead_id = $1 AND type = 'LEAD_UPDATED' ORDER BY seq",
        [leadId],
      );
      expect(events.map(({ data }) => data)).toMatchObject([
        { change: 'OPT_OUT', fields: ['optOut'], source: 'USER', userId: tenant.operator.id },
        { change: 'OPT_IN', fields: ['optOut'] },
      ]);
    });

    test.each(['', ' ', 'x'.repeat(501)])('a reason out of bounds is refused: %#', async (reason) => {
      const id = await createLead(app, tenant);
      const answer = await execute(app, tenant.operator, OptOutLeadDocument, { id, reason });
      expect(answer.errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'reason' }] });
    });

    test('dashboards count leads by when they opted out, and list them', async () => {
      const [one, two] = [await createLead(app, tenant), await createLead(app, tenant)];
      for (const id of [one, two]) await query(app, tenant.operator, OptOutLeadDocument, { id, reason: 'asked' });
      await query(app, tenant.operator, OptInLeadDocument, { id: two, reason: 'asked' });
      const { createDashboard } = await query(app, tenant.operator, OptedOutDashboardDocument, {
        input: {
          name: randomUUID(),
          widgets: [
            { type: 'FIGURE', title: 'Opted out', metric: 'LEADS_OPTED_OUT' },
            { type: 'BREAKDOWN', title: 'By source', metric: 'LEADS_OPTED_OUT', dimension: 'SOURCE' },
          ],
        },
      });
      expect(createDashboard.widgets).toMatchObject([
        { figure: { value: 1, rows: { edges: [{ node: { id: one } }] } } },
        { breakdown: { slices: [{ key: 'public', value: 1 }] } },
      ]);
    });

    test('the filter and the export know it', async () => {
      const [one, two] = [await createLead(app, tenant), await createLead(app, tenant)];
      await query(app, tenant.operator, OptOutLeadDocument, { id: one, reason: 'asked' });
      const idsWhere = async (optedOut: boolean) =>
        (await query(app, tenant.operator, OptOutsDocument, { filter: { optedOut } })).leads.edges.map(
          ({ node }) => node.id,
        );
      expect([await idsWhere(true), await idsWhere(false)]).toEqual([[one], [two]]);
      const csv = await (await app.get('/leads/export.csv', withToken(tenant.operator))).text();
      const [header = '', ...lines] = csv.trim().split('\n');
      expect(header).toContain('optedOutAt,optOutSource');
      expect(lines.find((line) => line.startsWith(one))).toContain(',USER');
      expect(lines.find((line) => line.startsWith(two))).not.toContain(',USER');
    });
  });

  describe('the ledger', () => {
    const refused = /append-only/;

    async function optedOutLead(): Promise<string> {
      const { number, leadId } = await knownLead();
      await write(app, tenant, number, { text: 'STOP' });
      return leadId;
    }

    test.each([
      "UPDATE consent_entries SET action = 'OPT_IN' WHERE lead_id = $1",
      'UPDATE consent_entries SET keyword = NULL, reason = NULL, message_id = NULL, webhook_call_id = NULL, erased_at = now() WHERE lead_id = $1',
      'UPDATE consent_entries SET lead_id = gen_random_uuid(), occurred_at = now() WHERE lead_id = $1',
      'DELETE FROM consent_entries WHERE lead_id = $1',
    ])('the database refuses %s', async (statement) => {
      const leadId = await optedOutLead();
      await expect(app.sql(statement, [leadId])).rejects.toThrow(refused);
      expect(await logOf(app, tenant, leadId)).toMatchObject([{ action: 'OPT_OUT', keyword: 'STOP' }]);
    });

    test('and a TRUNCATE', async () => {
      await expect(app.sql('TRUNCATE consent_entries CASCADE')).rejects.toThrow(refused);
    });

    test('the erasure of a lead leaves an entry that says nothing of the person', async () => {
      const { number, leadId } = await knownLead();
      await write(app, tenant, number, { text: 'STOP' });
      await query(app, tenant.operator, OptInLeadDocument, { id: leadId, reason: 'Ana called' });
      await app.app.services.leadErasure.erase(operatorPrincipal(), leadId);
      const left = await app.sql('SELECT * FROM consent_entries WHERE original_lead_id = $1 ORDER BY recorded_at', [
        leadId,
      ]);
      const nothing = {
        keyword: null,
        reason: null,
        message_id: null,
        webhook_call_id: null,
        erased_at: expect.any(Date),
      };
      expect(left).toMatchObject([
        { action: 'OPT_OUT', ...nothing },
        { action: 'OPT_IN', ...nothing },
      ]);
    });

    test('a merge takes entries and state along, and its undoing gives them back', async () => {
      const merged = await optedOutLead();
      const survivor = await createLead(app, tenant);
      const { mergeLeads } = await query(app, tenant.operator, MergeLeadsDocument, {
        leadId: merged,
        intoId: survivor,
      });
      expect(await optOutOf(app, tenant, survivor)).toMatchObject({ keyword: 'STOP' });
      expect(await logOf(app, tenant, survivor)).toMatchObject([{ originalLeadId: merged }]);
      await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId: mergeLeads.merges[0]?.id ?? '' });
      expect(await optOutOf(app, tenant, survivor)).toBeNull();
      expect(await logOf(app, tenant, survivor)).toEqual([]);
      expect(await optOutOf(app, tenant, merged)).toMatchObject({ keyword: 'STOP' });
      expect(await logOf(app, tenant, merged)).toHaveLength(1);
    });

    describe('what was decided while two leads were one, once the merge is undone', () => {
      interface Person {
        number: string;
        leadId: string;
      }

      async function merged(one: Person, into: Person): Promise<string> {
        const { mergeLeads } = await query(app, tenant.operator, MergeLeadsDocument, {
          leadId: one.leadId,
          intoId: into.leadId,
        });
        return mergeLeads.merges[0]?.id ?? '';
      }

      const undo = (mergeId: string) => query(app, tenant.operator, UndoLeadMergeDocument, { mergeId });
      const optIn = (id: string) => query(app, tenant.operator, OptInLeadDocument, { id, reason: 'asked' });
      const optOutsOf = async (...people: Person[]) =>
        Promise.all(people.map(async ({ leadId }) => (await optOutOf(app, tenant, leadId))?.source ?? null));

      test('a STOP counts for both, as nobody knows whose it was, and each has it in the ledger', async () => {
        const [stays, leaves] = [await knownLead(), await knownLead()];
        const mergeId = await merged(leaves, stays);
        const { messageId } = await write(app, tenant, leaves.number, { text: 'STOP' });
        await undo(mergeId);
        expect(await optOutsOf(stays, leaves)).toEqual(['KEYWORD', 'KEYWORD']);
        for (const { leadId } of [stays, leaves])
          expect(await logOf(app, tenant, leadId)).toMatchObject([
            { action: 'OPT_OUT', keyword: 'STOP', originalLeadId: leadId, message: { id: messageId } },
          ]);
        const bulkSendId = await sentToAll([stays.leadId, leaves.leadId]);
        const { bulkSend } = await query(app, tenant.operator, BulkSendDocument, { id: bulkSendId });
        expect(bulkSend).toMatchObject({ total: 0, skipped: 2 });
      });

      test('a START lifts the opt-out of neither, also after another merge that is undone', async () => {
        const [stays, leaves, third] = [await knownLead(), await knownLead(), await knownLead()];
        await write(app, tenant, stays.number, { text: 'STOP' });
        const mergeId = await merged(leaves, stays);
        await write(app, tenant, leaves.number, { text: 'START' });
        expect(await optOutsOf(stays)).toEqual([null]);
        await undo(mergeId);
        expect(await optOutsOf(stays, leaves)).toEqual(['KEYWORD', null]);
        await undo(await merged(third, stays));
        expect(await optOutsOf(stays, third)).toEqual(['KEYWORD', null]);
        await write(app, tenant, stays.number, { text: 'START' });
        expect(await optOutsOf(stays)).toEqual([null]);
      });

      test('a STOP that a later START of the other had superseded counts for the lead without a START', async () => {
        const [stays, leaves] = [await knownLead(), await knownLead()];
        await write(app, tenant, stays.number, { text: 'START', timestamp: hoursFromNow(-1) });
        const mergeId = await merged(leaves, stays);
        await write(app, tenant, leaves.number, { text: 'STOP', timestamp: hoursFromNow(-2) });
        expect(await optOutsOf(stays)).toEqual([null]);
        await undo(mergeId);
        expect(await optOutsOf(stays, leaves)).toEqual([null, 'KEYWORD']);
      });

      test('a user’s opt-in counts for the lead that stays, and one that had opted out keeps what it had', async () => {
        const [stays, leaves] = [await knownLead(), await knownLead()];
        for (const { number } of [stays, leaves]) await write(app, tenant, number, { text: 'STOP' });
        const mergeId = await merged(leaves, stays);
        await optIn(stays.leadId);
        await undo(mergeId);
        expect(await optOutsOf(stays, leaves)).toEqual([null, 'KEYWORD']);
        expect((await logOf(app, tenant, leaves.leadId)).length).toBe(1);
      });
    });
  });

  function operatorPrincipal() {
    const { id: userId, accountId } = tenant.operator;
    const who = { userId, accountId, email: 'operator@test.example', isPlatformTenant: false };
    return { kind: 'user', tenantId: tenant.id, role: 'OPERATOR', ...who } as const;
  }
}
