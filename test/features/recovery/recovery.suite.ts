// Messages that no webhook brought are recovered from the gateway's history, once, where they were written, through the same intake.

import { randomUUID } from 'node:crypto';
import { positionAt } from '../../../src/features/leads/conversation/position.js';
import { execute, query } from '../../support/graphql-client.js';
import {
  DeleteLeadDocument,
  InstanceAuditsDocument,
  MergeLeadsDocument,
  RecoverMessagesDocument,
} from '../../support/operations.js';
import type { EvolutionServer } from '../../support/evolution-server.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { stateOf } from '../leads/conversation-harness.js';
import { plainNumber, until } from '../messages/sending-harness.js';
import { readJournal } from '../webhooks/journal-harness.js';
import { HistoryInstance, minutesAgo, recoveriesOf, type Audit, withHistory } from './history-harness.js';

export function describeRecovery(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let server: EvolutionServer;
  let instance: HistoryInstance;

  withHistory((stage) => ({ app, tenant, server, instance } = stage));

  const countsOf = ({ atGateway, here, recovered, unexplained }: Audit) => ({
    atGateway,
    here,
    recovered,
    unexplained,
  });
  const leadOf = async (chat: string) =>
    (
      await app.sql<{ id: string }>('SELECT lead_id AS id FROM lead_identities WHERE tenant_id = $1 AND value = $2', [
        tenant.id,
        chat,
      ])
    )[0]?.id ?? '';
  const bodiesOf = async (chat: string) => (await instance.messages(chat)).map(({ body }) => body);

  test('what is missing is taken in where it was written, once, and the audit adds up', async () => {
    const chat = plainNumber();
    await instance.write(
      { chat, text: 'one', at: minutesAgo(50), isWithheld: true },
      { chat, text: 'two', at: minutesAgo(40), fromMe: true, isWithheld: true },
      { chat, text: 'three', at: minutesAgo(30), isWithheld: true },
      { chat, text: 'four' },
    );
    expect(countsOf(await instance.recover())).toEqual({ atGateway: 4, here: 1, recovered: 3, unexplained: 0 });
    expect(await bodiesOf(chat)).toEqual(['one', 'two', 'three', 'four']);
    expect(countsOf(await instance.recover())).toEqual({ atGateway: 4, here: 4, recovered: 0, unexplained: 0 });
    expect(await bodiesOf(chat)).toEqual(['one', 'two', 'three', 'four']);
    const [first, second] = await instance.messages(chat);
    expect(second).toMatchObject({ direction: 'OUTBOUND' });
    expect(Math.abs((first?.createdAt.getTime() ?? 0) - minutesAgo(50).getTime())).toBeLessThan(30_000);
    expect(first?.receivedAt?.getTime()).toBeGreaterThan(minutesAgo(5).getTime());
  });

  test('among messages of one second, and behind webhooks that came late, the order is that of the history', async () => {
    const chat = plainNumber();
    const at = minutesAgo(20);
    const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`);
    // All webhooks come 20 minutes late.
    await instance.write(...texts.map((text, index) => ({ chat, text, at, isWithheld: index % 3 === 1 })));
    expect(countsOf(await instance.recover())).toMatchObject({ here: 8, recovered: 4 });
    expect(await bodiesOf(chat)).toEqual(texts);
  });

  test('a scheduled message, which stands where it was queued, does not draw others there', async () => {
    const chat = plainNumber();
    await instance.write({ chat, text: 'known', at: minutesAgo(40) });
    const [known] = await instance.messages(chat);
    // The message gets a position of yesterday, as if it had been queued then.
    await app.sql('UPDATE messages SET position = $2 WHERE id = $1', [known?.id, positionAt(minutesAgo(1_440))]);
    await instance.write({ chat, text: 'missing', at: minutesAgo(41), isWithheld: true });
    await instance.recover();
    expect(await bodiesOf(chat)).toEqual(['known', 'missing']);
  });

  test('live clients are told when it is recovered, and the journal says that a history brought it', async () => {
    const chat = plainNumber();
    await instance.write({ chat, text: 'now', at: minutesAgo(5) });
    const [before] = await app.sql<{ seq: string }>('SELECT max(seq) AS seq FROM events WHERE tenant_id = $1', [
      tenant.id,
    ]);
    await instance.write({ chat, text: 'then', at: minutesAgo(30), isWithheld: true });
    await instance.recover();
    const events = await app.sql(
      'SELECT type, message_id AS id FROM events WHERE tenant_id = $1 AND seq > $2 AND message_id IS NOT NULL',
      [tenant.id, before?.seq],
    );
    const [recovered] = await instance.messages(chat);
    expect(events).toEqual([{ type: 'MESSAGE_RECEIVED', id: recovered?.id }]);
    const [entry] = await readJournal(app, tenant, { source: 'HISTORY' });
    expect(entry).toMatchObject({ dialect: 'EVOLUTION', outcome: 'PROCESSED', route: `/history/${instance.id}` });
    await instance.recover();
    expect(await readJournal(app, tenant, { source: 'HISTORY' })).toHaveLength(1);
  });

  test('a call of the journal that a history made runs again, and changes nothing', async () => {
    const chat = plainNumber();
    await instance.write({ chat, text: 'then', at: minutesAgo(30), isWithheld: true });
    await instance.recover();
    const [entry] = await readJournal(app, tenant, { source: 'HISTORY' });
    const before = await instance.messages(chat);
    await app.app.services.webhookCalls.replay(
      {
        kind: 'user',
        tenantId: tenant.id,
        userId: tenant.admin.id,
        accountId: '',
        role: 'ADMIN',
        email: '',
        isPlatformTenant: false,
      },
      entry?.id ?? '',
    );
    expect(await instance.messages(chat)).toEqual(before);
  });

  test('what is not taken in has a reason', async () => {
    const chat = plainNumber();
    await instance.write({ chat, text: 'one', at: minutesAgo(10), isWithheld: true });
    const group = instance.store({ chat, text: 'in a group', at: minutesAgo(9) });
    group.key.remoteJid = '120363025246125486@g.us';
    const broken = instance.store({ chat, text: 'x', at: minutesAgo(8) });
    broken.key.remoteJid = 'nobody at all';
    const audit = await instance.recover();
    expect(countsOf(audit)).toEqual({ atGateway: 3, here: 0, recovered: 1, unexplained: 2 });
    expect(audit.reasons).toEqual([
      { reason: 'a group', count: 1 },
      { reason: expect.stringMatching(/^cannot be read: key\.remoteJid /), count: 1 },
    ]);
  });

  test('the own number of the line is no lead’s: neither does it join leads, nor is a note to itself a lead', async () => {
    const own = plainNumber();
    await app.sql('UPDATE chat_instances SET number = $2 WHERE id = $1', [instance.id, own]);
    for (const lid of ['111', '222']) {
      const answer = instance.store({ chat: own, text: `to ${lid}`, at: minutesAgo(20), fromMe: true });
      Object.assign(answer.key, { remoteJid: `${lid}@lid`, remoteJidAlt: `${own}@s.whatsapp.net` });
    }
    instance.store({ chat: own, text: 'buy milk', at: minutesAgo(10), fromMe: true });
    const audit = await instance.recover();
    expect(countsOf(audit)).toMatchObject({ atGateway: 3, here: 0, recovered: 2 });
    expect(audit.reasons).toEqual([{ reason: 'a note of the line to itself', count: 1 }]);
    const leads = await app.sql(
      `SELECT array_agg(i.value ORDER BY i.value) AS values FROM leads l JOIN lead_identities i ON i.tenant_id = l.tenant_id AND i.lead_id = l.id
       WHERE l.tenant_id = $1 GROUP BY l.id ORDER BY 1`,
      [tenant.id],
    );
    expect(leads).toEqual([{ values: ['111'] }, { values: ['222'] }]);
  });

  test('reactions, edits and deletions of the history are applied to their messages', async () => {
    const chat = plainNumber();
    const id = randomUUID();
    const key = { id, fromMe: false, remoteJid: `${chat}@s.whatsapp.net` };
    await instance.write(
      { chat, text: 'one', id, at: minutesAgo(10) },
      { chat, at: minutesAgo(9), isWithheld: true, message: { reactionMessage: { key, text: '👍' } } },
    );
    expect(countsOf(await instance.recover())).toEqual({ atGateway: 2, here: 1, recovered: 1, unexplained: 0 });
    expect(countsOf(await instance.recover())).toEqual({ atGateway: 2, here: 2, recovered: 0, unexplained: 0 });
    expect(await app.sql('SELECT emoji FROM message_reactions WHERE tenant_id = $1', [tenant.id])).toEqual([
      { emoji: '👍' },
    ]);
  });

  test('reactions of one second are new once, in whatever order they are listed', async () => {
    const chat = plainNumber();
    const id = randomUUID();
    const at = minutesAgo(9);
    const key = { id, fromMe: false, remoteJid: `${chat}@s.whatsapp.net` };
    const reaction = (text: string) => ({ chat, at, isWithheld: true, message: { reactionMessage: { key, text } } });
    await instance.write({ chat, text: 'one', id, at: minutesAgo(10) }, reaction('👍'), reaction('🎉'));
    const stored = async () =>
      (await app.sql<{ emoji: string }>('SELECT emoji FROM message_reactions WHERE tenant_id = $1', [tenant.id])).map(
        ({ emoji }) => emoji,
      );
    const countEvents = () =>
      app.sql("SELECT seq FROM events WHERE tenant_id = $1 AND type = 'MESSAGE_UPDATED'", [tenant.id]);
    expect(countsOf(await instance.recover())).toEqual({ atGateway: 3, here: 1, recovered: 2, unexplained: 0 });
    expect(await stored()).toEqual(['🎉']);
    expect(await countEvents()).toHaveLength(1);
    const nothingNew = { atGateway: 3, here: 3, recovered: 0, unexplained: 0 };
    expect(countsOf(await instance.recover())).toEqual(nothingNew);
    // A database lists the messages of one second in any order.
    const places = server.records.flatMap(({ messageType, message }, index) =>
      messageType === 'conversation' && 'reactionMessage' in (message as object) ? [index] : [],
    );
    const [first = 0, second = 0] = places;
    [server.records[first], server.records[second]] = [server.records[second]!, server.records[first]!];
    expect(countsOf(await instance.recover())).toEqual(nothingNew);
    expect(await stored()).toEqual(['🎉']);
    expect(await countEvents()).toHaveLength(1);
    expect(await readJournal(app, tenant, { source: 'HISTORY' })).toHaveLength(1);
  });

  test('a keyword of the history opts out, unless a later decision is known', async () => {
    const [stopped, resumed] = [plainNumber(), `4915${randomUUID().replace(/\D/g, '').slice(0, 6).padEnd(6, '1')}7777`];
    await instance.write(
      { chat: stopped, text: 'Stop', at: minutesAgo(30), isWithheld: true },
      { chat: resumed, text: 'STOP', at: minutesAgo(29), isWithheld: true },
      { chat: resumed, text: 'START', at: minutesAgo(20), isWithheld: true },
    );
    await instance.recover();
    const optedOut = await app.sql<{ leadId: string }>(
      'SELECT lead_id AS "leadId" FROM opt_outs WHERE tenant_id = $1',
      [tenant.id],
    );
    expect(optedOut).toEqual([{ leadId: await leadOf(stopped) }]);
  });

  test('who waits, and since when, is computed by when messages were written', async () => {
    const chat = plainNumber();
    await instance.write({ chat, text: 'question', at: minutesAgo(30), isWithheld: true });
    await instance.recover();
    const waiting = await stateOf(app, tenant, await leadOf(chat));
    expect(Math.abs(new Date(waiting.waitingSince ?? 0).getTime() - minutesAgo(30).getTime())).toBeLessThan(30_000);
    await instance.write({ chat, text: 'answer', at: minutesAgo(25), fromMe: true, isWithheld: true });
    await instance.recover();
    expect(await stateOf(app, tenant, await leadOf(chat))).toMatchObject({ waitingSince: null });
  });

  test('an erased person does not come back, and is a new one afterwards', async () => {
    const chat = plainNumber();
    await instance.write({ chat, text: 'before', at: minutesAgo(30) });
    await query(app, tenant.operator, DeleteLeadDocument, { id: await leadOf(chat) });
    const audit = await instance.recover();
    expect(countsOf(audit)).toEqual({ atGateway: 1, here: 0, recovered: 0, unexplained: 1 });
    expect(audit.reasons).toEqual([{ reason: 'a person who was erased', count: 1 }]);
    expect(await leadOf(chat)).toBe('');
    const [row] = await app.sql<{ digest: Buffer }>('SELECT digest FROM erased_identities WHERE tenant_id = $1', [
      tenant.id,
    ]);
    expect(row?.digest.toString('utf8')).not.toContain(chat);
    await app.sql("UPDATE erased_identities SET erased_at = erased_at - interval '20 minutes' WHERE tenant_id = $1", [
      tenant.id,
    ]);
    await instance.write({ chat, text: 'after', at: minutesAgo(5), isWithheld: true });
    expect(countsOf(await instance.recover())).toEqual({ atGateway: 2, here: 0, recovered: 1, unexplained: 1 });
    expect(await bodiesOf(chat)).toEqual(['after']);
  });

  test("a merged lead's messages go to its survivor", async () => {
    const [chat, other] = [plainNumber(), '4915111119999'];
    await instance.write({ chat, text: 'one', at: minutesAgo(30) }, { chat: other, text: 'two', at: minutesAgo(20) });
    const survivorId = await leadOf(other);
    await query(app, tenant.operator, MergeLeadsDocument, { leadId: await leadOf(chat), intoId: survivorId });
    await instance.write({ chat, text: 'three', at: minutesAgo(25), isWithheld: true });
    await instance.recover();
    const rows = await app.sql<{ body: string }>(
      'SELECT body FROM messages WHERE tenant_id = $1 AND lead_id = $2 ORDER BY position, id',
      [tenant.id, survivorId],
    );
    expect(rows.map(({ body }) => body).toSorted()).toEqual(['one', 'three', 'two']);
  });

  test('nothing from before the retention comes back', async () => {
    const chat = plainNumber();
    const days = (count: number) => minutesAgo(count * 1_440);
    await instance.write(
      { chat, text: 'old', at: days(40), isWithheld: true },
      { chat, text: 'new', at: days(20), isWithheld: true },
    );
    const audit = await instance.recover(days(60));
    expect(countsOf(audit)).toEqual({ atGateway: 1, here: 0, recovered: 1, unexplained: 0 });
    expect(new Date(audit.from).getTime()).toBeGreaterThan(days(31).getTime());
    expect(await bodiesOf(chat)).toEqual(['new']);
  });

  test('nor does a file that would not be kept any more', async () => {
    const keeping = await sharedApp({ MEDIA_RETENTION_DAYS: '5' });
    const owner = await keeping.createTenant();
    const there = await HistoryInstance.create(keeping, owner, server, 30 * 86_400_000);
    const imageMessage = { mimetype: 'image/png', url: 'https://mmg.example/a' };
    await there.write(
      { chat: plainNumber(), at: minutesAgo(10 * 1_440), isWithheld: true, message: { imageMessage } },
      { chat: plainNumber(), at: minutesAgo(60), isWithheld: true, message: { imageMessage } },
    );
    await there.recover(minutesAgo(20 * 1_440));
    const files = await keeping.sql<{ state: string }>(
      'SELECT state FROM media_files WHERE tenant_id = $1 ORDER BY message_id',
      [owner.id],
    );
    expect(files[0]).toEqual({ state: 'EXPIRED' });
    expect(files[1]?.state).not.toBe('EXPIRED');
  });

  test('a reading stops at its ends, both of which belong to it', async () => {
    const chat = plainNumber();
    for (const minutes of [40, 30, 20, 10])
      await instance.write({ chat, text: String(minutes), at: minutesAgo(minutes), isWithheld: true });
    const second = (minutes: number) => new Date(Math.floor(minutesAgo(minutes).getTime() / 1_000) * 1_000);
    const audit = await instance.recover(
      new Date(second(30).getTime() - 2_000),
      new Date(second(20).getTime() + 2_000),
    );
    expect(countsOf(audit)).toMatchObject({ atGateway: 2, recovered: 2 });
    expect(audit.isComplete).toBe(true);
  });

  test('is refused by name', async () => {
    const ask = async (instanceId: string, since: Date, end: Date, user = tenant.admin) => {
      const variables = { instanceId, since: since.toISOString(), until: end.toISOString() };
      const { errors } = await execute(app, user, RecoverMessagesDocument, variables);
      return errors?.[0]?.extensions?.['code'];
    };
    const now = new Date();
    expect(await ask(tenant.instance.id, minutesAgo(5), now)).toBe('NOT_OFFERED');
    expect(await ask(randomUUID(), minutesAgo(5), now)).toBe('NOT_FOUND');
    expect(await ask(instance.id, now, minutesAgo(5))).toBe('VALIDATION_FAILED');
    expect(await ask(instance.id, minutesAgo(5), now, tenant.operator)).toBe('FORBIDDEN');
    server.instances.delete(instance.name);
    expect(await ask(instance.id, minutesAgo(5), now)).toBe('CONFLICT');
  });

  test('is taken in soon after a failover, which may have lost it', async () => {
    const chat = plainNumber();
    await recoveriesOf(app).recoverDue();
    await instance.write({ chat, text: 'lost', at: minutesAgo(2), isWithheld: true });
    await recoveriesOf(app).recoverDue();
    expect(await bodiesOf(chat)).toEqual([]);
    // The reading before was too early to see the end of what was lost.
    const afterFailover = recoveriesOf(app, Date.now() - 60_000);
    // Instances of other tenants take turns with it.
    await until(
      async () => {
        await afterFailover.recoverDue();
        return bodiesOf(chat);
      },
      (bodies) => bodies.length > 0,
    );
    expect(await bodiesOf(chat)).toEqual(['lost']);
    await instance.write({ chat, text: 'of the next regular reading', at: minutesAgo(2), isWithheld: true });
    await recoveriesOf(app, Date.now() - 120_000).recoverDue();
    expect(await bodiesOf(chat)).toEqual(['lost']);
  });

  test('audits are listed, the newest first, and kept as many as are bounded', async () => {
    const list = async (first?: number) =>
      (await query(app, tenant.operator, InstanceAuditsDocument, { instanceId: instance.id, first: first ?? null }))
        .instanceAudits;
    await instance.write({ chat: plainNumber(), at: minutesAgo(10), isWithheld: true });
    await instance.recover();
    await instance.recover();
    const { edges } = await list();
    expect(edges.map(({ node: { recovered, here, cause } }) => ({ recovered, here, cause }))).toEqual([
      { recovered: 0, here: 1, cause: 'MANUAL' },
      { recovered: 1, here: 0, cause: 'MANUAL' },
    ]);
    expect((await list(1)).pageInfo.hasNextPage).toBe(true);
    await app.sql("UPDATE instance_audits SET created_at = now() - interval '40 days' WHERE tenant_id = $1", [
      tenant.id,
    ]);
    expect(await app.app.services.pruning.prune()).toMatchObject({ instanceAudits: 2 });
    expect((await list()).edges).toEqual([]);
  });
}
