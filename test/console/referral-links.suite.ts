// The links of ads that are shown, judged by their hosts.

import { hostOf } from '../../src/console/parts/link-host.js';

export function describeReferralLinks(): void {
  test('a link of the web has its host, as it is looked up', () => {
    expect(hostOf('https://fb.example/5z9Rw')).toBe('fb.example');
    expect(hostOf('http://fb.example:8080/')).toBe('fb.example:8080');
    expect(hostOf('https://f\u0430cebook.example/')).toBe('xn--fcebook-2fg.example');
  });

  test('what is no link of the web, or reads like another host, has none', () => {
    for (const address of [
      null,
      '',
      'ad',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://fb.example@evil.example/',
    ])
      expect(hostOf(address)).toBeUndefined();
  });
}
