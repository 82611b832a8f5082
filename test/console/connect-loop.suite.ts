// Connecting an instance: renewed codes, failures that pass, and the end of the loop.

import { connectUntilOver, type ConnectAnswer } from '../../src/console/pages/instances/connect-loop.js';

class Passing extends Error {}

const waiting = (qr: string): ConnectAnswer => ({ status: 'CONNECTING', qr, pairingCode: null, lastError: null });
const connected: ConnectAnswer = { status: 'CONNECTED', qr: null, pairingCode: null, lastError: null };

export function describeConnectLoop(): void {
  /** Plays the answers in turn, the last one for ever. */
  function play(...answers: (ConnectAnswer | Error)[]) {
    const seen: unknown[] = [];
    const pauses: number[] = [];
    let asked = 0;
    let leaveAfter = Infinity;
    const run = () =>
      connectUntilOver({
        ask: async () => {
          const answer = answers[Math.min(asked, answers.length - 1)];
          asked += 1;
          if (answer === undefined || answer instanceof Error) throw answer;
          return answer;
        },
        onAnswer: (answer) => seen.push(answer.qr ?? answer.status),
        onTrouble: () => seen.push('trouble'),
        isPassing: (error) => error instanceof Passing,
        pause: async (ms) => void pauses.push(ms),
        isLeft: () => asked >= leaveAfter,
      });
    return { run, seen, pauses, leaveAfter: (count: number) => (leaveAfter = count), asked: () => asked };
  }

  test('shows each renewed code until the instance is connected', async () => {
    const { run, seen, pauses } = play(waiting('first'), waiting('second'), connected);
    expect(await run()).toBe('connected');
    expect(seen).toEqual(['first', 'second', 'CONNECTED']);
    expect(pauses).toHaveLength(2);
  });

  test('goes on after a failure that passes', async () => {
    const { run, seen } = play(waiting('first'), new Passing(), connected);
    expect(await run()).toBe('connected');
    expect(seen).toEqual(['first', 'trouble', 'CONNECTED']);
  });

  test('a refusal ends it', async () => {
    await expect(play(new Error('no such instance')).run()).rejects.toThrow('no such instance');
    expect(await play({ ...connected, status: 'ERROR', lastError: 'banned' }).run()).toBe('refused');
  });

  test('stops where nobody scans, and where the page is left', async () => {
    const unread = play(waiting('code'));
    expect(await unread.run()).toBe('timeout');
    expect(unread.pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(240_000);
    const left = play(waiting('code'));
    left.leaveAfter(2);
    expect(await left.run()).toBe('left');
    expect(left.asked()).toBe(2);
    expect(left.seen).toEqual(['code']);
  });
}
