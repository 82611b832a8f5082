// The customers that the simulator plays: they read, answer and start conversations by themselves, by a clock that the tests move.

import { answersTo, languageOf, languageOfNumber, PHRASES } from '../../src/simulator/customer-phrases.js';
import { MAX_CUSTOMERS_PER_MINUTE, startGatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { Customers } from '../../src/simulator/customers.js';
import { DEFAULT_BEHAVIOUR } from '../../src/simulator/behaviour.schema.js';
import { PLAYERS } from '../../src/simulator/players.js';
import { SeededRandom } from '../../src/simulator/seeded-random.js';
import { Timers } from '../../src/simulator/simulator-clock.js';
import { ManualClock, startHarness, until, type Harness } from './simulator-harness.js';

const ANA = { instance: 'acme', number: '447700900123', name: 'Ana', language: 'pt' } as const;
// The values of PLAIN would count as knobs turned by hand.
const DEFAULTS = {
  sentDelayMs: DEFAULT_BEHAVIOUR.sentDelayMs,
  deliveredDelayMs: DEFAULT_BEHAVIOUR.deliveredDelayMs,
  readDelayMs: DEFAULT_BEHAVIOUR.readDelayMs,
  replyDelayMs: DEFAULT_BEHAVIOUR.replyDelayMs,
  replyRate: DEFAULT_BEHAVIOUR.replyRate,
};

export function describeCustomers(): void {
  let harness: Harness | undefined;

  afterEach(async () => {
    await harness?.close();
    harness = undefined;
  });

  async function start(customersPerMinute: number, behaviour = {}) {
    const clock = new ManualClock();
    harness = await startHarness({ customersPerMinute, clock, behaviour: { ...DEFAULTS, ...behaviour } });
    return { ...harness, clock };
  }

  /** Moves the clock on until no report is left. */
  async function playOut({ simulator, clock }: Awaited<ReturnType<typeof start>>, minutes: number): Promise<void> {
    for (let second = 0; second < minutes * 60; second += 1) {
      clock.advance(1_000);
      // Calls get their answers before time goes on, so that their time-outs come in order.
      await new Promise((resolve) => setImmediate(resolve));
    }
    let isIdle = false;
    void simulator.idle().then(() => (isIdle = true));
    await until(() => {
      clock.advance(1);
      return isIdle;
    });
  }

  test('nobody is played unless it is asked for', async () => {
    const played = await start(0);
    played.simulator.introduce([ANA]);
    expect(played.clock.pendingTimers).toBe(0);
    await played.send(ANA.number, { text: 'Bom dia!' });
    await playOut(played, 2);
    for (const { body } of played.simulator.webhookCalls())
      if ('text' in body) expect(DEFAULT_BEHAVIOUR.replyTexts).toContain(body.text);
  });

  test.each([-1, 1.5, MAX_CUSTOMERS_PER_MINUTE + 1])('%d messages a minute are refused', async (customersPerMinute) => {
    const starting = startGatewaySimulator({ token: 'gateway-token', customersPerMinute });
    await expect(starting).rejects.toThrow('customersPerMinute');
  });

  test('what we send is delivered, read and answered by what fits, in our language', async () => {
    const played = await start(1);
    for (let sent = 0; sent < 12; sent += 1)
      await played.send(`5511988${String(sent).padStart(2, '0')}7777`, { text: 'Quanto custa por noite? São 84 €.' });
    await playOut(played, 2);
    // A call may be repeated, because this clock does not wait for its answer.
    const reported = (status: string) =>
      new Set(played.receiver.calls.filter(({ body }) => body.status === status).map(({ body }) => body.messageId));
    for (const status of ['SENT', 'DELIVERED', 'READ']) expect(reported(status).size).toBe(12);
    const answers = played.receiver.replies().filter(({ from }) => String(from).startsWith('5511988'));
    const said = answers.flatMap(({ text, media }) => text ?? media?.caption ?? []);
    expect(said.length).toBeGreaterThan(2);
    const { price } = PHRASES.pt.answers;
    const own = [...PHRASES.pt.additions, ...PHRASES.pt.captions];
    for (const text of said) expect([...price, ...own]).toContain(text);
  });

  test('they write by themselves, about as often as they should, and in every way', async () => {
    const played = await start(MAX_CUSTOMERS_PER_MINUTE);
    played.simulator.introduce([ANA, { ...ANA, number: '447700900124', name: 'Bo', language: 'en' }]);
    await played.send(ANA.number, { text: 'Olá, Ana!' });
    for (let second = 0; second < 60; second += 1) {
      played.clock.advance(1_000);
      const { length } = played.receiver.calls;
      await until(() => played.receiver.calls.length > length);
    }
    const own = played.receiver.replies();
    const kinds = new Set(own.map(({ type, replyTo }) => (replyTo === undefined ? String(type) : 'quote')));
    expect([...kinds].toSorted()).toEqual(expect.arrayContaining(['edit', 'image', 'quote', 'reaction', 'text']));
    expect(new Set(own.map(({ from }) => from)).size).toBeGreaterThan(3);
  });

  test('a knob that was turned, and a special number, mean what they say', () => {
    const customers = play();
    const message = { instance: 'acme', to: ANA.number, type: 'text', text: 'Hello' };
    const turned = { ...DEFAULT_BEHAVIOUR, replyRate: 0, readDelayMs: 7, replyTexts: ['No'] };
    const { behaviour } = customers.hear(message, 'm1', turned);
    expect(behaviour).toMatchObject({ replyRate: 0, readDelayMs: 7, replyTexts: ['No'] });
    expect(behaviour.replyDelayMs).not.toBe(DEFAULT_BEHAVIOUR.replyDelayMs);
  });

  test('who was introduced keeps its language and goes on with its talk', () => {
    const customers = play();
    customers.introduce([ANA]);
    const message = { instance: 'acme', to: ANA.number, type: 'text', text: 'Thank you, see you in the house!' };
    const { behaviour, name } = customers.hear(message, 'm1', DEFAULT_BEHAVIOUR);
    expect(name).toBe('Ana');
    expect(Object.values(PHRASES.pt.answers)).toContainEqual(behaviour.replyTexts);
    const texts = Array.from({ length: 50 }, () => customers.drawAction())
      .filter(({ from }) => from === ANA.number)
      .flatMap(({ text }) => text ?? []);
    for (const text of texts) expect(PHRASES.pt.additions).toContain(text);
  });

  test('within ten minutes at six a minute every player has had its turn, in the same order for the same seed', () => {
    const playedOf = () => {
      const customers = play();
      customers.introduce([ANA]);
      return Array.from({ length: 60 }, () => customers.drawAction()).flatMap(({ player }) => player ?? []);
    };
    const played = playedOf();
    expect(new Set(played)).toEqual(new Set(PLAYERS.map(({ name }) => name)));
    expect(played).toHaveLength(30);
    expect(playedOf()).toEqual(played);
  });

  test('who opts out, or changes its number, is nobody that was introduced', () => {
    const customers = play();
    customers.introduce([ANA]);
    const forStrangers = PLAYERS.filter(({ isForStrangers }) => isForStrangers === true).map(({ name }) => name);
    expect(forStrangers).toEqual(expect.arrayContaining(['stop-typed', 'number-changed']));
    for (let action = 0; action < 60; action += 1) {
      const { player = '', from } = customers.drawAction();
      if (forStrangers.includes(player)) expect(from).not.toBe(ANA.number);
    }
  });

  test('at most 1,000 people are remembered, those heard of last', () => {
    const customers = play();
    customers.introduce(
      Array.from({ length: 1_500 }, (_, index) => ({ ...ANA, number: String(447_700_000_000 + index) })),
    );
    expect(customers.count).toBe(1_000);
  });

  test('closing ends them: no timer is left', () => {
    const clock = new ManualClock();
    const timers = new Timers(clock);
    play(timers).start('http://files.example');
    expect(clock.pendingTimers).toBe(1);
    timers.close();
    expect(clock.pendingTimers).toBe(0);
  });

  test('without anybody known, somebody new writes', () => {
    const action = play().drawAction();
    expect(action).toMatchObject({
      from: expect.stringMatching(/^(44770090|161755501|130555501)/),
      name: expect.any(String),
    });
    expect(action.text ?? action.media).toBeDefined();
  });

  test.each([
    ['Good morning! The price is 90 € per night.', 'en', 'price'],
    ['Para que datas procura? Quando chega?', 'pt', 'time'],
    ['¿Quieren reservar la casa?', 'es', 'question'],
    ['Thank you!', 'en', 'thanks'],
    ['Hello!', 'en', 'greeting'],
  ] as const)('%s', (text, language, topic) => {
    expect(languageOf(text)).toBe(language);
    expect(answersTo(text, false, language)).toEqual(PHRASES[language].answers[topic]);
  });

  test('a file, a text without any words and a number have their language or none', () => {
    expect(answersTo('see attached', true, 'es')).toEqual(PHRASES.es.answers.file);
    expect(languageOf('👍')).toBeUndefined();
    expect(['5511988887777', '34600000000', '447700900123'].map(languageOfNumber)).toEqual(['pt', 'es', 'en']);
  });

  test('no phrase is a word that opts out', () => {
    const words = Object.values(PHRASES).flatMap(({ answers, openers, additions }) => [
      ...Object.values(answers).flat(),
      ...openers,
      ...additions,
    ]);
    for (const word of words) expect(word).not.toMatch(/^(stop\w*|unsubscribe|cancel\w*|end|quit|parar|sair|baja)$/i);
  });
}

function play(timers = new Timers(new ManualClock())): Customers {
  const random = SeededRandom.fromSeed('tests');
  const write = () => Promise.resolve('w1');
  return new Customers({ timers, random, perMinute: 6, mayWrite: () => true, write, playable: () => [''] });
}
