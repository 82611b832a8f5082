// previewMessage: the outcome of sendMessage, by the same checks, and without a trace.

import { randomUUID } from 'node:crypto';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { execute, failureOf, query, type GraphqlAnswer } from '../../support/graphql-client.js';
import {
  CreateTemplateDocument,
  PreviewMessageDocument,
  SendMessageDocument,
  type PreviewMessageQuery,
  type SendMessageInput,
} from '../../support/operations.js';
import { changingNothing } from '../../support/table-checksums.js';
import { withToken, type TestApp, type TestTenant } from '../../support/test-app.js';
import {
  createLead,
  createLeads,
  readMessage,
  send,
  sendToEach,
  startSender,
  startSimulator,
} from './sending-harness.js';

export function describeSendPreview(): void {
  let simulator: GatewaySimulator;
  /** A process without a worker, so nothing leaves or changes by itself. */
  let api: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;
  let leadId: string;

  beforeAll(async () => {
    simulator = await startSimulator();
    api = await startSender(simulator, { PROCESS_ROLE: 'api' });
  });
  beforeEach(async () => {
    tenant = await api.createTenant();
    other = await api.createTenant();
    leadId = await createLead(api, tenant);
  });
  afterAll(async () => {
    await simulator.close();
    await api.stop();
  });

  const preview = (input: SendMessageInput, user = tenant.operator): Promise<PreviewMessageQuery['previewMessage']> =>
    changingNothing(api, async () => (await query(api, user, PreviewMessageDocument, { input })).previewMessage);
  const failure = (input: SendMessageInput) =>
    changingNothing(api, () => execute(api, tenant.operator, PreviewMessageDocument, { input }));
  const limitTo = (max: number, durationMs: number) =>
    api.sql('UPDATE tenants SET chat_rate_max = $2, chat_rate_duration_ms = $3 WHERE id = $1', [
      tenant.id,
      max,
      durationMs,
    ]);
  const untilMs = (time: string | null) => Date.parse(time ?? '') - Date.now();

  test('says what would be sent, through which instance, and when', async () => {
    const shown = await preview({ leadId, body: 'Oi' });
    expect(shown).toEqual({
      type: 'text',
      body: 'Oi',
      caption: null,
      files: [],
      instance: { id: tenant.instance.id, instanceName: tenant.instance.name },
      window: { isOpen: true, closesAt: null },
      optOut: null,
      queuePosition: 0,
      estimatedSendAt: expect.any(String),
      waitingReason: 'IN_QUEUE',
      waitingDetail: 'It is the next to leave.',
      repeated: null,
    });
    expect(Math.abs(untilMs(shown.estimatedSendAt))).toBeLessThan(60_000);
    expect(simulator.attempts()).toEqual([]);
  });

  test('renders a template', async () => {
    await api.sql('UPDATE leads SET name = $2 WHERE id = $1', [leadId, 'Ana']);
    const { createTemplate } = await query(api, tenant.operator, CreateTemplateDocument, {
      input: { name: randomUUID(), body: 'Oi {{lead.name}}, {{what}}' },
    });
    const templateId = createTemplate.id;
    const shown = await preview({ leadId, templateId, variables: { what: 'tudo bem?' } });
    expect(shown).toMatchObject({ type: 'text', body: 'Oi Ana, tudo bem?' });
    expect(failureOf(await failure({ leadId, templateId }))).toEqual({
      code: 'VALIDATION_FAILED',
      paths: ['variables.what'],
    });
  });

  test('the message that is sent next stands where the preview said', async () => {
    await limitTo(1, 60_000);
    const leads = await createLeads(api, tenant, 3);
    await sendToEach(api, tenant, leads);
    const shown = await preview({ leadId, body: 'Oi' });
    expect(shown).toMatchObject({ queuePosition: 3, waitingReason: 'RATE_LIMIT' });
    expect(Math.round(untilMs(shown.estimatedSendAt) / 60_000)).toBe(3);
    const sent = await readMessage(api, tenant, await send(api, tenant, { leadId, body: 'Oi' }));
    expect(sent).toMatchObject({ queuePosition: 3, waitingReason: 'RATE_LIMIT', waitingDetail: shown.waitingDetail });
    expect(Math.abs(Date.parse(sent.estimatedSendAt ?? '') - Date.parse(shown.estimatedSendAt ?? ''))).toBeLessThan(
      30_000,
    );
    // Another message to the same lead waits for the first one.
    expect(await preview({ leadId, body: 'Oi?' })).toMatchObject({
      queuePosition: 4,
      waitingReason: 'EARLIER_MESSAGE',
    });
  });

  test('an instance that is out has no time, one that rests has its end', async () => {
    const setInstance = (changes: string) =>
      api.sql(`UPDATE chat_instances SET ${changes} WHERE id = $1`, [tenant.instance.id]);
    await setInstance("status = 'DISCONNECTED', last_error = 'logged out'");
    const out = await preview({ leadId, body: 'Oi' });
    expect(out).toMatchObject({ queuePosition: 0, estimatedSendAt: null, waitingReason: 'INSTANCE_PAUSED' });
    expect(out.waitingDetail).toContain('logged out');
    await setInstance("status = 'CONNECTED', outbound_paused_until = now() + interval '10 min'");
    const resting = await preview({ leadId, body: 'Oi' });
    expect(resting.waitingReason).toBe('INSTANCE_PAUSED');
    expect(Math.round(untilMs(resting.estimatedSendAt) / 60_000)).toBe(10);
  });

  test('a schedule leaves at its time, outside of the queue', async () => {
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    expect(await preview({ leadId, body: 'Oi', sendAt })).toMatchObject({
      queuePosition: null,
      estimatedSendAt: sendAt,
      waitingReason: 'SCHEDULED',
    });
  });

  test('an idempotency key is not used by it; one that was used shows its message', async () => {
    const input = { leadId, body: 'Oi', idempotencyKey: randomUUID() };
    expect(await preview(input)).toMatchObject({ body: 'Oi', repeated: null });
    const id = await send(api, tenant, input);
    expect(await preview(input)).toMatchObject({ body: 'Oi', queuePosition: 0, repeated: { id, status: 'QUEUED' } });
    expect(failureOf(await failure({ ...input, body: 'Oi!' })).code).toBe('CONFLICT');
  });

  test('what has opted out is said, and refused where sending is', async () => {
    const receive = (text: string) =>
      api.post(
        '/webhooks/chat/gateway/inbound',
        { messageId: randomUUID(), from: '5511977776666', text },
        { 'x-tenant-key': tenant.apiKey },
      );
    const answer = (await (await receive('STOP')).json()) as { results: { leadId: string }[] };
    const optedOut = answer.results[0]?.leadId ?? '';
    expect(await preview({ leadId: optedOut, body: 'Oi' })).toMatchObject({
      optOut: { source: 'KEYWORD', at: expect.any(String) },
    });
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    expect(failureOf(await failure({ leadId: optedOut, body: 'Oi', sendAt })).code).toBe('OPTED_OUT');
  });

  describe('the same errors as sendMessage', () => {
    // Both operations get each input: the code, the fields and the sentence have to be equal.
    const wrong: [string, () => Promise<SendMessageInput> | SendMessageInput][] = [
      ['no content', () => ({ leadId })],
      ['an unknown lead', () => ({ leadId: randomUUID(), body: 'Oi' })],
      ['another tenant’s lead', async () => ({ leadId: await createLead(api, other), body: 'Oi' })],
      ['another tenant’s instance', () => ({ leadId, body: 'Oi', instanceId: other.instance.id })],
      ['an unknown template', () => ({ leadId, templateId: randomUUID() })],
      ['an unknown quoted message', () => ({ leadId, body: 'Oi', replyToMessageId: randomUUID() })],
      [
        'a quoted message that is not at the network',
        async () => ({ leadId, body: 'Oi', replyToMessageId: await send(api, tenant, { leadId, body: 'Oi' }) }),
      ],
      ['an unknown file', () => ({ leadId, media: { id: randomUUID() } })],
      ['a schedule too far away', () => ({ leadId, body: 'Oi', sendAt: '2199-01-01T00:00:00Z' })],
      [
        'a newer message than was expected',
        async () => {
          const expectedLastMessageId = await send(api, tenant, { leadId, body: 'first' });
          await send(api, tenant, { leadId, body: 'second' });
          return { leadId, body: 'Oi', expectedLastMessageId };
        },
      ],
      [
        'a channel template elsewhere',
        () => ({ leadId, instanceId: tenant.instance.id, channelTemplate: { id: randomUUID() } }),
      ],
    ];

    test.each(wrong)('%s', async (_, make) => {
      const input = await make();
      const shown = await failure(input);
      const sent = await execute(api, tenant.operator, SendMessageDocument, { input });
      const told = ({ errors }: GraphqlAnswer<unknown>) =>
        errors?.map(({ message, extensions: { code, errors: fields } }) => ({ message, code, fields }));
      expect(sent.errors).toHaveLength(1);
      expect(told(shown)).toEqual(told(sent));
    });
  });

  test('previews and sends of one lead at once neither wait in a circle nor change each other', async () => {
    const sent = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const input = { leadId, body: `Oi ${index}` };
        if (index % 3 === 0) return send(api, tenant, input);
        await query(api, tenant.operator, PreviewMessageDocument, { input });
        return undefined;
      }),
    );
    const rows = await api.sql<{ id: string }>('SELECT id FROM messages WHERE lead_id = $1', [leadId]);
    expect(rows.map(({ id }) => id).sort()).toEqual(sent.filter((id) => id !== undefined).sort());
  });

  test('an operation may have few of them', async () => {
    const ask = async (count: number) => {
      const fields = Array.from({ length: count }, (_, nr) => `p${nr}: previewMessage(input: $input) { body }`);
      const body = {
        query: `query ($input: SendMessageInput!) { ${fields.join(' ')} }`,
        variables: { input: { leadId, body: 'Oi' } },
      };
      const answer = await api.post('/graphql', body, withToken(tenant.operator));
      return (await answer.json()) as { data?: object; errors?: { extensions: { limit?: { name: string } } }[] };
    };
    expect((await ask(21)).errors).toMatchObject([{ extensions: { limit: { name: 'cost' } } }]);
    expect(Object.keys((await ask(5)).data ?? {})).toHaveLength(5);
  });
}
