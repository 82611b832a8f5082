// The notice that shows the lead that the user is typing.

import { TypingNotice } from '../../src/console/pages/conversation/typing-notice.js';

export function describeTypingNotice(): void {
  function stage(answer: () => Promise<boolean> = () => Promise.resolve(true)) {
    const told: boolean[] = [];
    let nowMs = 0;
    const tell = (isTyping: boolean) => {
      told.push(isTyping);
      return answer();
    };
    const notice = new TypingNotice({ tell, nowMs: () => nowMs });
    /** Lets time pass and answers arrive. */
    const pass = async (ms: number) => {
      nowMs += ms;
      await Promise.resolve();
      await Promise.resolve();
    };
    return { notice, told, pass };
  }

  test('with a key stroke, at most once in 5 seconds', async () => {
    const { notice, told, pass } = stage();
    for (let strokes = 0; strokes < 11; strokes += 1) {
      notice.typed();
      await pass(1_000);
    }
    expect(told).toEqual([true, true, true]);
  });

  test('taken back where it is still shown, and shown again at once', async () => {
    const { notice, told, pass } = stage();
    notice.stopped();
    notice.typed();
    notice.stopped();
    notice.stopped();
    notice.typed();
    expect(told).toEqual([true, false, true]);
    await pass(5_000);
    notice.stopped();
    expect(told).toHaveLength(3);
  });

  test('not any more where the lead cannot see it', async () => {
    const { notice, told, pass } = stage(() => Promise.resolve(false));
    notice.typed();
    await pass(6_000);
    notice.typed();
    notice.stopped();
    expect(told).toEqual([true]);
  });

  test('again after a failure', async () => {
    const { notice, told, pass } = stage(() => Promise.reject(new Error('offline')));
    notice.typed();
    await pass(6_000);
    notice.typed();
    expect(told).toEqual([true, true]);
  });
}
