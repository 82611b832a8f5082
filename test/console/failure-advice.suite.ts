// The advice that the user gets about a message that failed, by the code of the failure.

import { windowClosedCode } from '../../src/features/messages/reply-window/reply-window.service.js';
import { numberNotOnNetworkCode } from '../../src/providers/chat-gateway.js';
import { loadOfConsole, provideBrowserGlobals } from './browser-globals.js';

type Advice = 'otherNumber' | 'template' | 'otherFile' | 'call' | 'unsure' | 'retry';
interface FailureTextsModule {
  adviceFor: (code: string | undefined, texts: Record<Advice, string>) => string;
  failureTexts: { en: Record<Advice, string> };
}

export function describeFailureAdvice(): void {
  provideBrowserGlobals();

  let adviceOf: (code: string | undefined) => string;
  let en: Record<Advice, string>;

  beforeAll(async () => {
    const { adviceFor, failureTexts } = await loadOfConsole<FailureTextsModule>('parts/failure-texts.ts');
    en = failureTexts.en;
    adviceOf = (code) => adviceFor(code, en);
  });

  it.each<[string, Advice]>([
    [numberNotOnNetworkCode, 'otherNumber'],
    [windowClosedCode, 'template'],
    ['FILE_UNAVAILABLE', 'otherFile'],
    ['OPTED_OUT', 'call'],
    ['SEND_UNCONFIRMED', 'unsure'],
    ['131026', 'otherNumber'],
  ])('%s is no reason to try the same again', (code, advice) => {
    expect(adviceOf(code)).toBe(en[advice]);
  });

  it('a code that nobody knows may be tried once more', () => {
    expect(adviceOf('SOMETHING_ELSE')).toBe(en.retry);
    expect(adviceOf(undefined)).toBe(en.retry);
  });
}
