// What the user is told to do about a message that failed, by the code of the failure.

import { adviceFor, failureTexts } from '../../src/console/parts/failure-texts.js';
import { windowClosedCode } from '../../src/features/messages/reply-window/reply-window.service.js';
import { numberNotOnNetworkCode } from '../../src/providers/chat-gateway.js';

export function describeFailureAdvice(): void {
  const { en } = failureTexts;

  test.each([
    [numberNotOnNetworkCode, en.otherNumber],
    [windowClosedCode, en.template],
    ['FILE_UNAVAILABLE', en.otherFile],
    ['OPTED_OUT', en.call],
    ['SEND_UNCONFIRMED', en.unsure],
    ['131026', en.otherNumber],
  ])('%s is no reason to try the same again', (code, advice) => {
    expect(adviceFor(code, en)).toBe(advice);
  });

  test('a code that nobody knows may be tried once more', () => {
    expect(adviceFor('SOMETHING_ELSE', en)).toBe(en.retry);
    expect(adviceFor(undefined, en)).toBe(en.retry);
  });
}
