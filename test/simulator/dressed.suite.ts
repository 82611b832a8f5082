// Behaviour that all dresses share: failures, duplicates, disorder, withheld reports, customers, and the counts of the gateway's messages.

import { startHarness, type Harness, type ReceivedCall } from './simulator-harness.js';

const to = '5511988887777';

type Body = Record<string, any>;

/** The calls of each dress, and the readers of its webhook calls. */
const dresses = [
  {
    dress: 'gateway',
    send: (harness: Harness, number: string) => harness.send(number, { instance: 'shop', text: 'Olá' }),
    statusIn: (body: Body) => body['status'],
    idOf: (body: Body) => body['messageId'],
    textIn: (body: Body) => (body['type'] === 'text' ? body['text'] : undefined),
    statuses: ['SENT', 'DELIVERED', 'READ'],
  },
  {
    dress: 'evolution',
    send: (harness: Harness, number: string) =>
      harness.call('POST', '/message/sendText/shop', { number, text: 'Olá' }, { apikey: harness.token }),
    statusIn: (body: Body) => (body['event'] === 'messages.update' ? body['data'].status : undefined),
    idOf: (body: Body) => body['key'].id,
    textIn: (body: Body) => (body['event'] === 'messages.upsert' ? body['data'].message.conversation : undefined),
    statuses: ['SERVER_ACK', 'DELIVERY_ACK', 'READ'],
  },
  {
    dress: 'waha',
    send: (harness: Harness, number: string) =>
      harness.call(
        'POST',
        '/api/sendText',
        { session: 'shop', chatId: `${number}@c.us`, text: 'Olá' },
        { 'x-api-key': harness.token },
      ),
    statusIn: (body: Body) => (body['event'] === 'message.ack' ? body['payload'].ackName : undefined),
    idOf: (body: Body) => body['id'].split('_')[2],
    textIn: (body: Body) =>
      body['event'] === 'message.any' && body['payload'].fromMe === false ? body['payload'].body : undefined,
    statuses: ['SERVER', 'DEVICE', 'READ'],
  },
] as const;

export function describeDressed(): void {
  describe.each(dresses)('as $dress', ({ dress, send, statusIn, idOf, textIn, statuses }) => {
    let harness: Harness;
    afterEach(() => harness.close());

    async function start(options: Parameters<typeof startHarness>[0] = {}): Promise<Harness> {
      harness = await startHarness(options);
      harness.simulator.reportTo({ dress }, 'shop');
      return harness;
    }
    const bodies = () => harness.receiver.calls.map(({ body }) => body);
    const told = () =>
      bodies()
        .map(statusIn)
        .filter((status) => status !== undefined);
    const says = (content: object = { text: 'Oi' }) =>
      harness.simulator.receiveFromLead({ instance: 'shop', from: to, ...content });

    test('statuses come in their order, reversed, or twice, as the knobs say', async () => {
      const { simulator } = await start();
      await send(harness, to);
      await simulator.idle();
      expect(told()).toEqual(statuses);
      simulator.behave({ reorderRate: 1, reorderAs: 'reverse', duplicateRate: 1 });
      harness.receiver.calls.length = 0;
      await send(harness, to);
      await simulator.idle();
      expect(told()).toEqual(statuses.toReversed().flatMap((status) => [status, status]));
    });

    test('a call that fails is repeated as it was, whatever was done since', async () => {
      const answerTo = (_call: ReceivedCall, index: number) => ({ status: index === 0 ? 503 : 200 });
      const { simulator } = await start({ answerTo, behaviour: { webhookBackoffMs: 200 } });
      const { messageId, call } = await says();
      expect(call).toMatchObject({ status: 503, willRetry: true });
      await says({ edit: { messageId, text: 'Olá' } });
      await simulator.idle();
      expect(bodies().map(textIn).filter(Boolean)).toEqual(['Oi', 'Oi']);
      expect(harness.receiver.calls.at(-1)?.raw).toBe(harness.receiver.calls[0]?.raw);
    });

    test('a send is refused, held back without an answer, or accepted with the connection cut', async () => {
      const { simulator } = await start({ behaviour: { failRate: 1, failStatus: 503 } });
      expect((await send(harness, to)).status).toBe(503);
      expect(simulator.countHistory({ instance: 'shop' }).outbound).toBe(0);
      simulator.behave({ failRate: 0, dropAnswerRate: 1 });
      await expect(send(harness, to)).rejects.toThrow();
      expect(simulator.countHistory({ instance: 'shop' }).outbound).toBe(1);
      expect(simulator.attempts().map(({ outcome }) => outcome)).toEqual(['refused', 'dropped']);
    });

    test('the lead replies, reacts, edits and deletes in this dress', async () => {
      const behaviour = {
        replyRate: 1,
        replyTexts: ['Quero!'],
        reactionRate: 1,
        editRate: 1,
        deleteRate: 1,
        changeDelayMs: 0,
      };
      const { simulator } = await start({ behaviour });
      const id = idOf((await send(harness, to)).body);
      await simulator.idle();
      expect(bodies().map(textIn)).toContain('Quero!');
      const { inbound, outbound } = simulator.countHistory({ instance: 'shop', number: to });
      expect([inbound, outbound]).toEqual([1, 1]);
      expect(bodies().some((body) => JSON.stringify(body).includes(id))).toBe(true);
    });

    test('a share of what leads write is withheld, the same of them for the same seed', async () => {
      const first = await withheldOf();
      const second = await withheldOf();
      expect(first).toEqual(second);
      const count = first.filter(Boolean).length;
      expect(count).toBeGreaterThan(10);
      expect(count).toBeLessThan(50);
      await start();
    });

    async function withheldOf(): Promise<boolean[]> {
      const { simulator, receiver } = await start({ behaviour: { withholdRate: 0.5 } });
      const calls = [];
      for (let count = 0; count < 60; count += 1) calls.push((await says({ text: String(count) })).call);
      const withheld = calls.map((call) => call.isWithheld);
      expect(receiver.calls).toHaveLength(withheld.filter((is) => !is).length);
      expect(simulator.countHistory({ instance: 'shop' })).toMatchObject({
        inbound: 60,
        withheld: withheld.filter(Boolean).length,
      });
      await harness.close();
      return withheld;
    }

    test('with all withheld nobody is called, and the counts say what there is', async () => {
      const { simulator, receiver, call } = await start({ behaviour: { withholdRate: 1 } });
      await send(harness, to);
      const said = await call('POST', '/simulator/inbound', { instance: 'shop', from: to, text: 'Oi' });
      expect(said).toMatchObject({ status: 200, body: { webhook: { isWithheld: true, status: null } } });
      await says({ reaction: { messageId: said.body.messageId, emoji: '👍' } });
      await simulator.receiveFromLead({ instance: 'shop', from: '447700900123', text: 'Hi' });
      await simulator.receiveFromLead({ instance: 'other', from: to, text: 'elsewhere' });
      await simulator.idle();
      expect(receiver.calls).toEqual([]);
      const counted = await call('GET', '/simulator/history?instance=shop');
      expect(counted.body).toEqual({
        inbound: 2,
        outbound: 1,
        withheld: 2,
        numbers: [
          { number: to, inbound: 1, outbound: 1, withheld: 1 },
          { number: '447700900123', inbound: 1, outbound: 0, withheld: 1 },
        ],
        numberCount: 2,
        forgotten: 0,
      });
    });

    test('customers write in this dress by themselves', async () => {
      const { simulator, receiver } = await start({ customersPerMinute: 600 });
      simulator.introduce([{ instance: 'shop', number: to, name: 'Ana', language: 'pt' }]);
      await receiver.arrived(3);
      expect(bodies().map((body) => body['instance'] ?? body['session'])).toEqual(expect.arrayContaining(['shop']));
    });
  });

  test('an instance is dressed by what it is called with, or by hand; others stay as they are', async () => {
    const harness = await startHarness({ behaviour: { deliveredRate: 0 } });
    const { call, simulator, receiver, token } = harness;
    await call('POST', '/instance/create', { instanceName: 'evo' }, { apikey: token });
    await call('POST', '/api/sessions', { name: 'waha', start: false }, { 'x-api-key': token });
    const dressOf = async (name: string) =>
      (await call('GET', `/simulator/webhook-target?instance=${name}`)).body.dress;
    expect([await dressOf('evo'), await dressOf('waha'), await dressOf('acme')]).toEqual([
      'evolution',
      'waha',
      'gateway',
    ]);
    const by = { instance: 'evo', from: to, text: 'Oi' };
    await simulator.receiveFromLead(by);
    expect(receiver.calls.at(-1)?.body).toMatchObject({ event: 'messages.upsert' });
    await call('PATCH', '/simulator/webhook-target?instance=evo', { dress: 'gateway' });
    await simulator.receiveFromLead(by);
    expect(receiver.calls.at(-1)?.body).toMatchObject({ from: to, type: 'text' });
    expect(await call('POST', '/simulator/inbound', { ...by, lid: '99' })).toMatchObject({
      status: 409,
      body: { error: { code: 'dress_not_set' } },
    });
    expect((await call('PATCH', '/simulator/webhook-target?instance=evo', { dress: 'none' })).status).toBe(400);
    await harness.close();
  });

  test('the history can be emptied, and asked for a number and a time', async () => {
    const harness = await startHarness();
    const { call, simulator } = harness;
    await simulator.receiveFromLead({ instance: 'acme', from: to, text: 'Oi' });
    const count = async (query: string) => (await call('GET', `/simulator/history?${query}`)).body.inbound;
    expect(await count(`number=${to}`)).toBe(1);
    expect(await count('number=1')).toBe(0);
    expect(await count('since=2001-01-01T00:00:00Z&until=2101-01-01T00:00:00Z')).toBe(1);
    expect(await count('until=2001-01-01T00:00:00Z')).toBe(0);
    expect((await call('GET', '/simulator/history?since=yesterday')).status).toBe(400);
    expect((await call('DELETE', '/simulator/history')).status).toBe(204);
    expect(await count('')).toBe(0);
    await harness.close();
  });
}
