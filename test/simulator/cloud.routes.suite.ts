// The simulator as a number of Meta's Cloud API: its answers, and the webhook calls that it makes.

import { createHmac, randomUUID } from 'node:crypto';
import { startHarness, type Harness } from './simulator-harness.js';

const path = '/v24.0/555000111';
const to = '5511988887777';
const appSecret = 'app-secret';
const instanceId = randomUUID();

export function describeCloudRoutes(): void {
  let harness: Harness;

  beforeEach(async () => {
    harness = await startHarness();
    harness.simulator.reportTo({ cloud: { instanceId, appSecret } }, '555000111');
  });
  afterEach(() => harness.close());

  const send = (message: object) =>
    harness.call('POST', `${path}/messages`, { messaging_product: 'whatsapp', to, ...message });
  /** The change that the first call reports. */
  const reported = () => harness.receiver.calls[0]!.body['entry'][0].changes[0];
  const template = (name: string, code: string, ...texts: unknown[]) => {
    const components = [{ type: 'body', parameters: texts.map((text) => ({ type: 'text', text })) }];
    return { type: 'template', template: { name, language: { code }, components } };
  };

  test('the number and the templates of its account, with the token only', async () => {
    expect((await harness.call('GET', path)).body).toEqual({ id: '555000111' });
    const { body } = await harness.call('GET', '/v24.0/555000222/message_templates?limit=100');
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['hello', 'offer']);
    expect((await harness.call('GET', path, undefined, { authorization: 'Bearer x' })).status).toBe(401);
  });

  test('a text and a template are accepted, and their statuses are signed calls of Meta', async () => {
    const { body } = await send({ type: 'text', text: { body: 'Oi' } });
    expect(body).toMatchObject({ contacts: [{ input: to, wa_id: to }], messages: [{ id: expect.any(String) }] });
    await harness.simulator.idle();
    const [call] = harness.receiver.calls;
    expect(call?.path).toBe(`/webhooks/chat/cloud/${instanceId}`);
    const digest = createHmac('sha256', appSecret)
      .update(call?.raw ?? '')
      .digest('hex');
    expect(call?.headers['x-hub-signature-256']).toBe(`sha256=${digest}`);
    expect(call?.headers['x-tenant-key']).toBeUndefined();
    const { field, value } = reported();
    expect([field, value.metadata.phone_number_id]).toEqual(['messages', '555000111']);
    expect(value.statuses).toEqual([
      { id: body.messages[0].id, status: 'sent', timestamp: expect.stringMatching(/^\d+$/) },
    ]);
    await send(template('offer', 'en_US', 'Ana', '20%'));
    expect(harness.simulator.attempts().at(-1)).toMatchObject({
      type: 'template',
      text: 'Hi Ana, everything is 20% off this week.',
    });
  });

  test.each([
    ['unknown', template('nothing', 'pt_BR'), 132001],
    ['of another language', template('hello', 'en_US', 'a', 'b'), 132001],
    ['with too few parameters', template('hello', 'pt_BR', 'Ana'), 132000],
    ['with a parameter that is no text', template('hello', 'pt_BR', 'Ana', undefined), 132012],
  ])('a template that is %s is refused in the words of Meta', async (_case, message, code) => {
    const { status, body } = await send(message);
    expect([status, body.error.code]).toEqual([400, code]);
    expect(harness.simulator.attempts()).toMatchObject([{ outcome: 'refused', status: 400 }]);
  });

  test('a reaction is taken, and another kind of message is not', async () => {
    const reaction = { message_id: 'x', emoji: '' };
    expect((await send({ type: 'reaction', reaction })).status).toBe(200);
    expect(harness.simulator.attempts()).toMatchObject([{ reaction: { messageId: 'x', emoji: null } }]);
    expect((await send({ type: 'location' })).status).toBe(400);
  });

  test.each([
    [
      { text: 'Oi', replyTo: 'x' },
      { type: 'text', text: { body: 'Oi' }, context: { id: 'x' } },
    ],
    [{ reaction: { messageId: 'x', emoji: null } }, { type: 'reaction', reaction: { message_id: 'x', emoji: '' } }],
    [{ deletion: { messageId: 'x' } }, { type: 'unsupported', errors: [{ code: 131051 }] }],
  ])('what a lead does is a message of Meta: %j', async (said, message) => {
    await harness.simulator.receiveFromLead({ instance: '555000111', from: to, ...said });
    const { value } = reported();
    expect(value.messages).toMatchObject([{ from: to, ...message }]);
  });

  test('a preference is a field of its own, and no other gateway has it', async () => {
    await harness.simulator.receiveFromLead({ instance: '555000111', from: to, preference: 'resume' });
    const { field, value } = reported();
    expect(field).toBe('user_preferences');
    expect(value.user_preferences).toMatchObject([{ wa_id: to, category: 'marketing_messages', value: 'resume' }]);
    const answer = await harness.call('POST', '/simulator/inbound', { instance: 'acme', from: to, preference: 'stop' });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'cloud_not_set']);
  });

  test('the secret of the app is not shown', async () => {
    const { body } = await harness.call('GET', '/simulator/webhook-target?instance=555000111');
    expect(body.cloudInstanceId).toBe(instanceId);
    expect(JSON.stringify(body)).not.toContain(appSecret);
  });
}
