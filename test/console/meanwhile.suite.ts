// Changes that come while data is read.

import { Meanwhile } from '../../src/console/api/meanwhile.js';

export function describeMeanwhile(): void {
  const say = (word: string) => (words: readonly string[]) => [...words.filter((one) => one !== word), word];

  it('an answer gets the changes since its reading began, in their order, and no others', () => {
    const meanwhile = new Meanwhile<readonly string[]>();
    meanwhile.add(say('before'));
    meanwhile.begin();
    meanwhile.add(say('b'));
    meanwhile.add(say('a'));
    const withChanges = meanwhile.end();
    expect(withChanges(['a', 'b', 'c'])).toEqual(['c', 'b', 'a']);
    meanwhile.add(say('after'));
    expect(meanwhile.end()(['a'])).toEqual(['a']);
  });

  it('a reading that begins again has what came before it', () => {
    const meanwhile = new Meanwhile<readonly string[]>();
    meanwhile.begin();
    meanwhile.add(say('a'));
    meanwhile.begin();
    meanwhile.add(say('b'));
    expect(meanwhile.end()([])).toEqual(['b']);
  });
}
