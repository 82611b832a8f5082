// Messages besides texts and files, through each provider's endpoint: choices, forms, calls, notices, quiet kinds, messages whose content
// comes later, and names that show nothing.

import { createHmac, randomUUID } from 'node:crypto';
import { query } from '../../support/graphql-client.js';
import { MessageContentDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { checksumsOf } from '../../support/table-checksums.js';
import { serviceOperator, withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { createTenantWhoseSendsWait, stateOf } from '../leads/conversation-harness.js';
import { plainNumber } from '../messages/sending-harness.js';

const appSecret = '0123456789abcdef0123456789abcdef';

interface Result {
  messageId: string;
  leadId: string;
  duplicate: boolean;
  outcome?: string;
  reason?: string;
}

/** A provider's form of each kind of message. */
interface Provider {
  text: (from: string, id: string) => object;
  button: (from: string, id: string) => object;
  form: (from: string, id: string, json: string) => object;
  call: (from: string, id: string) => object;
  quiet: (from: string) => [name: string, call: object][];
  empty: (from: string, id: string) => object;
}

export function describeKindsOfMessages(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let metaId: string;
  let from: string;

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
    tenant = await createTenantWhoseSendsWait(app);
    const input = { accountId: tenant.admin.accountId, instanceName: 'meta', webhookSecret: appSecret };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    const { chatInstances } = app.app.services;
    metaId = (await chatInstances.create(serviceOperator, input, place)).id;
    await chatInstances.create(
      serviceOperator,
      { accountId: tenant.admin.accountId, instanceName: 'waha', provider: 'waha' },
      place,
    );
  });
  beforeEach(() => (from = plainNumber()));

  async function post(call: object): Promise<Result[]> {
    const isMeta = 'entry' in call;
    const body = JSON.stringify(call);
    const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
    const answer = isMeta
      ? await app.post(`/webhooks/chat/cloud/${metaId}`, call, { 'x-hub-signature-256': signature })
      : await app.post('/webhooks/chat/gateway/inbound', call, withKey(tenant));
    expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()]);
    return ((await answer.json()) as { results: Result[] }).results;
  }

  async function say(call: object): Promise<Result> {
    const [result] = await post(call);
    expect(result).toMatchObject({ messageId: expect.any(String) });
    return result!;
  }

  const contentOf = async (id: string) => (await query(app, tenant.operator, MessageContentDocument, { id })).message;

  /** Fails unless the rows of every table stay the same, except the journal's. */
  async function changingNoRow(work: () => Promise<unknown>): Promise<void> {
    const rows = async () =>
      Object.fromEntries(Object.entries(await checksumsOf(app)).filter(([name]) => !name.includes('webhook_deliver')));
    const before = await rows();
    await work();
    expect(await rows()).toEqual(before);
  }

  const jid = (number: string) => `${number}@s.whatsapp.net`;
  const evolutionCall = (sender: string, id: string, message: object, rest: object = {}) => ({
    event: 'messages.upsert',
    instance: tenant.instance.name,
    data: { key: { remoteJid: jid(sender), fromMe: false, id }, message, messageTimestamp: 1_795_180_545, ...rest },
  });
  const wahaCall = (sender: string, id: string, payload: object, event = 'message.any') => ({
    event,
    session: 'waha',
    payload: {
      id: `false_${sender}@c.us_${id}`,
      from: `${sender}@c.us`,
      fromMe: false,
      timestamp: 1_795_180_545,
      body: '',
      ...payload,
    },
  });
  const metaCall = (sender: string, id: string, message: object, field = 'messages') => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1',
        changes: [{ field, value: { [field]: [{ from: sender, id, timestamp: '1795180545', ...message }] } }],
      },
    ],
  });
  const formOf = (paramsJson: string) => ({
    interactiveResponseMessage: {
      body: { text: 'Sent' },
      nativeFlowResponseMessage: { name: 'visit', paramsJson },
    },
  });
  const buttonsResponseMessage = { selectedButtonId: 'visit', selectedDisplayText: 'Quero visitar' };
  const networkQuiet = {
    albumMessage: { expectedImageCount: 2 },
    pollUpdateMessage: { vote: {} },
    pinInChatMessage: { type: 1 },
    encReactionMessage: {},
    messageHistoryBundle: {},
  };

  const providers: [string, Provider][] = [
    [
      'Meta',
      {
        text: (sender, id) => metaCall(sender, id, { type: 'text', text: { body: 'Oi' } }),
        button: (sender, id) =>
          metaCall(sender, id, {
            type: 'interactive',
            interactive: { type: 'button_reply', button_reply: { id: 'visit', title: 'Quero visitar' } },
          }),
        form: (sender, id, json) =>
          metaCall(sender, id, {
            type: 'interactive',
            interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: json } },
          }),
        call: (sender, id) => metaCall(sender, id, { event: 'connect', direction: 'USER_INITIATED' }, 'calls'),
        quiet: (sender) => [
          ['request_welcome', metaCall(sender, randomUUID(), { type: 'request_welcome' })],
          ['a history', metaCall(sender, randomUUID(), {}, 'history')],
          ['an account', metaCall(sender, randomUUID(), {}, 'account_update')],
        ],
        empty: (sender, id) => metaCall(sender, id, { type: 'unsupported' }),
      },
    ],
    [
      'Evolution',
      {
        text: (sender, id) => evolutionCall(sender, id, { conversation: 'Oi' }),
        button: (sender, id) => evolutionCall(sender, id, { buttonsResponseMessage }),
        form: (sender, id, json) => evolutionCall(sender, id, formOf(json)),
        call: (sender, id) => ({
          event: 'call',
          instance: tenant.instance.name,
          data: { id, from: jid(sender), status: 'offer', isVideo: false, isGroup: false },
        }),
        quiet: (sender) =>
          Object.entries(networkQuiet).map(([name, value]) => [
            name,
            evolutionCall(sender, randomUUID(), { [name]: value }),
          ]),
        empty: (sender, id) => evolutionCall(sender, id, {}, { messageStubType: 2 }),
      },
    ],
    [
      'WAHA',
      {
        text: (sender, id) => wahaCall(sender, id, { body: 'Oi' }),
        button: (sender, id) =>
          wahaCall(sender, id, { body: 'Quero visitar', _data: { message: { buttonsResponseMessage } } }),
        form: (sender, id, json) => wahaCall(sender, id, { _data: { message: formOf(json) } }),
        call: (sender, id) => ({
          event: 'call.received',
          session: 'waha',
          payload: { id, from: `${sender}@c.us`, timestamp: 1_795_180_545, isVideo: false, isGroup: false },
        }),
        quiet: (sender) => [
          ...Object.entries(networkQuiet).map(([name, value]): [string, object] => [
            name,
            wahaCall(sender, randomUUID(), { _data: { message: { [name]: value } } }),
          ]),
          ['poll.vote', wahaCall(sender, randomUUID(), {}, 'poll.vote')],
          ['event.response', wahaCall(sender, randomUUID(), {}, 'event.response')],
        ],
        empty: (sender, id) => wahaCall(sender, id, { _data: { type: 'ciphertext' } }, 'message.waiting'),
      },
    ],
    [
      'the neutral dialect',
      {
        text: (sender, messageId) => ({ messageId, from: sender, text: 'Oi' }),
        button: (sender, messageId) => ({
          messageId,
          from: sender,
          choice: { kind: 'button', id: 'visit', title: 'Quero visitar', description: ' ' },
        }),
        form: (sender, messageId, json) => ({
          messageId,
          from: sender,
          choice: { kind: 'FLOW', title: 'Sent', answers: JSON.parse(json) as object },
        }),
        call: (sender, callId) => ({ from: sender, type: 'call', callId }),
        quiet: () => [],
        empty: (sender, messageId) => ({ messageId, from: sender, type: 'unknown' }),
      },
    ],
  ];

  describe.each(providers)('%s', (_name, provider) => {
    test('a button is kept with its id, and its title is what people read', async () => {
      const { messageId } = await say(provider.button(from, randomUUID()));
      expect(await contentOf(messageId)).toMatchObject({
        body: 'Quero visitar',
        choice: { kind: 'BUTTON', id: 'visit', title: 'Quero visitar', description: null, answers: null },
        isNotice: false,
        lead: { chat: from, unreadCount: 1 },
      });
    });

    test('a form is kept with its answers, and without its token', async () => {
      const json = JSON.stringify({ day: 'Monday', guests: [1, 2], flow_token: 'secret-of-the-form' });
      const { messageId } = await say(provider.form(from, randomUUID(), json));
      expect(await contentOf(messageId)).toMatchObject({
        body: 'day: Monday\nguests: 1, 2',
        choice: { kind: 'FLOW', title: 'Sent', answers: { day: 'Monday', guests: [1, 2] } },
      });
      expect(
        await app.sql('SELECT 1 AS found FROM messages m WHERE id = $1 AND m::text LIKE $2', [
          messageId,
          '%secret-of%',
        ]),
      ).toEqual([]);
    });

    test('the answers of a form keep the order of its fields, at every depth, and so do its words', async () => {
      const answers = { street: 'Rua A', no: 12, when: { to: '10:00', from: '09:00' }, a: true };
      const { messageId } = await say(provider.form(from, randomUUID(), JSON.stringify(answers)));
      const content = await contentOf(messageId);
      expect(JSON.stringify(content?.choice?.answers)).toBe(JSON.stringify(answers));
      expect(content?.body?.split('\n').map((line) => line.split(':')[0])).toEqual(Object.keys(answers));
    });

    test('a call is one message, however often it is reported, and waits as a message does', async () => {
      const callId = randomUUID();
      const { messageId, leadId } = await say(provider.call(from, callId));
      expect(await say(provider.call(from, callId))).toMatchObject({ messageId, duplicate: true });
      expect(await contentOf(messageId)).toMatchObject({
        type: 'call',
        body: 'Voice call',
        lead: { unreadCount: 1, waitingSince: expect.any(String) },
      });
      expect((await say(provider.call(from, randomUUID()))).messageId).not.toBe(messageId);
      expect((await stateOf(app, tenant, leadId)).unreadCount).toBe(2);
    });

    test('what is quiet changes no row, neither of a lead that is known nor of a stranger', async () => {
      await say(provider.text(from, randomUUID()));
      await changingNoRow(async () => {
        for (const [, call] of [...provider.quiet(from), ...provider.quiet(plainNumber())])
          expect(await post(call)).toEqual([{ outcome: 'ignored', reason: expect.stringMatching(/^quiet: /) }]);
      });
    });

    test('what came without its content is filled by its text, once', async () => {
      const id = randomUUID().replaceAll('-', '');
      const { messageId } = await say(provider.empty(from, id));
      expect(await contentOf(messageId)).toMatchObject({ body: null, lead: { unreadCount: 1 } });
      expect(await say(provider.text(from, id))).toMatchObject({ messageId, duplicate: false });
      expect(await contentOf(messageId)).toMatchObject({ type: 'text', body: 'Oi', lead: { unreadCount: 1 } });
      expect(await say(provider.text(from, id))).toMatchObject({ messageId, duplicate: true });
    });

    test("the network's own assistant is no lead", async () => {
      await changingNoRow(async () => {
        expect(await post(provider.text('13135550002', randomUUID()))).toMatchObject([{ outcome: 'ignored' }]);
        expect(await post(provider.call('13135550002', randomUUID()))).toMatchObject([{ outcome: 'ignored' }]);
      });
    });
  });

  describe('a changed number', () => {
    test.each<[string, (next: string) => object]>([
      [
        'by Meta, as it is written now',
        (next) =>
          metaCall(from, randomUUID(), { type: 'system', system: { type: 'user_changed_number', wa_id: next } }),
      ],
      [
        'by Meta, as it was written before',
        (next) =>
          metaCall(from, randomUUID(), {
            type: 'system',
            system: { type: 'user_changed_number', new_wa_id: next, wa_id: from },
          }),
      ],
      [
        'in the neutral dialect',
        (newFrom) => ({
          messageId: randomUUID(),
          from,
          type: 'notice',
          notice: { kind: 'number_changed', newFrom },
        }),
      ],
    ])('%s: one lead, and a notice that changes nothing of what waits', async (_name, noticeOf) => {
      const next = plainNumber();
      const { leadId } = await say({ messageId: randomUUID(), from, text: 'Oi' });
      const before = await stateOf(app, tenant, leadId);
      const { messageId } = await say(noticeOf(next));
      expect(await contentOf(messageId)).toMatchObject({
        type: 'notice',
        isNotice: true,
        body: `The number has changed to +${next}`,
        mayWantToStop: false,
        lead: { id: leadId, chat: next },
      });
      const { unreadCount, waitingSince } = await stateOf(app, tenant, leadId);
      expect({ unreadCount, waitingSince }).toEqual({
        unreadCount: before.unreadCount,
        waitingSince: before.waitingSince,
      });
      expect((await say({ messageId: randomUUID(), from: next, text: 'Me again' })).leadId).toBe(leadId);
    });

    test('another notice says what happened, in our words where it has none', async () => {
      const notice = {
        messageId: randomUUID(),
        from,
        type: 'notice',
        notice: { kind: 'IDENTITY_CHANGED', newFrom: '' },
      };
      const { messageId } = await say(notice);
      expect(await contentOf(messageId)).toMatchObject({
        body: 'The security code has changed',
        isNotice: true,
        lead: { unreadCount: 0, waitingSince: null },
      });
    });
  });

  test('a message that was forwarded says so', async () => {
    const neutral = await say({ messageId: randomUUID(), from, text: 'Oi', forwarded: true });
    const contextInfo = { isForwarded: true, forwardingScore: 1 };
    const evolution = await say(
      evolutionCall(from, randomUUID(), { extendedTextMessage: { text: 'Oi', contextInfo } }),
    );
    const meta = await say(
      metaCall(from, randomUUID(), { type: 'text', text: { body: 'Oi' }, context: { frequently_forwarded: true } }),
    );
    for (const { messageId } of [neutral, evolution, meta])
      expect(await contentOf(messageId)).toMatchObject({ isForwarded: true });
  });

  describe('names', () => {
    test.each(['\u2800', '\u3164\u3164', '.', '\u200B', '\uFFA0 \u2800'])(
      'the name %j shows nothing, and is none',
      async (name) => {
        await say({ messageId: randomUUID(), from, name, text: 'Oi' });
        const lead = async () =>
          app.sql('SELECT name FROM leads WHERE tenant_id = $1 AND chat = $2', [tenant.id, from]);
        expect(await lead()).toEqual([{ name: from }]);
        from = plainNumber();
        await say(evolutionCall(from, randomUUID(), { conversation: 'Oi' }, { pushName: name }));
        expect(await lead()).toEqual([{ name: from }]);
      },
    );

    test('marks that turn the direction are taken out of names of people and files', async () => {
      const url = 'https://files.example/a';
      const media = { url, fileName: 'photo\u202Egnp.exe' };
      const { messageId, leadId } = await say({ messageId: randomUUID(), from, name: '\u2067Ana\u202E', media });
      const file = { fileName: 'photo\u202Egnp.exe', mimetype: 'application/pdf' };
      const other = await say(evolutionCall(from, randomUUID(), { documentMessage: file }));
      expect(await app.sql('SELECT name FROM leads WHERE id = $1', [leadId])).toEqual([{ name: 'Ana' }]);
      for (const id of [messageId, other.messageId]) {
        const [row] = await app.sql<{ name: string }>("SELECT media->>'fileName' AS name FROM messages WHERE id = $1", [
          id,
        ]);
        expect(row?.name).toBe('photognp.exe');
      }
    });
  });

  test('a kind that no list names is kept, and counted by its dialect', async () => {
    const countOf = async (dialect: string) => {
      const text = await app.app.services.metrics.render();
      const line = text.split('\n').find((one) => one.startsWith(`leadwire_unknown_kinds_total{dialect="${dialect}"}`));
      return Number(line?.split(' ')[1] ?? 0);
    };
    const calls = {
      cloud: metaCall(from, randomUUID(), { type: 'hologram', hologram: {} }),
      evolution: evolutionCall(from, randomUUID(), { hologramMessage: {} }),
      waha: wahaCall(from, randomUUID(), { _data: { message: { hologramMessage: {} } } }),
    };
    for (const [dialect, call] of Object.entries(calls)) {
      const before = await countOf(dialect);
      const { messageId } = await say(call);
      expect(await contentOf(messageId)).toMatchObject({ type: expect.stringMatching(/^hologram/), body: null });
      expect(await countOf(dialect)).toBe(before + 1);
    }
  });
}
