// Identities: when two are the same, and the names that are made of them.

import {
  hasPlaceholderName,
  matchKeyOf,
  mayHavePlaceholderName,
  placeholderNameOf,
} from '../../../src/features/leads/identity/lead-identity.js';
import { bsuid, lid, phone } from './lead-harness.js';

export function describeLeadIdentity(): void {
  test('two writings of a number are one identity; ids are taken as they are', () => {
    expect(matchKeyOf(phone('5511988887777'))).toBe(matchKeyOf(phone('551188887777')));
    expect(matchKeyOf(lid('5511988887777'))).toBe('5511988887777');
    expect(matchKeyOf(bsuid('BR.Ab'))).toBe('BR.Ab');
  });

  test.each([
    [phone('5511988887777'), '5511988887777'],
    [lid('209876541234'), 'Hidden number 1234'],
    [bsuid('US.13491208655302741918'), 'Hidden number 1918'],
    [bsuid('x'), 'Hidden number x'],
    [bsuid('ab\u{1F600}c\u{1F600}d'), 'Hidden number \u{1F600}c\u{1F600}d'],
  ])('%j is called %j', (identity, name) => {
    expect(placeholderNameOf(identity)).toBe(name);
    expect(hasPlaceholderName({ name, chat: null, identities: [bsuid('other'), identity] })).toBe(true);
    expect(mayHavePlaceholderName({ name, chat: identity.kind === 'PHONE' ? identity.value : null })).toBe(true);
  });

  test.each(['Ana', 'Hidden number', 'Hidden number 9999', 'Hidden number 12345', '5511988887778', ''])(
    '%j is no name that is made of these',
    (name) => {
      const identities = [phone('5511988887777'), lid('209876541234')];
      expect(hasPlaceholderName({ name, chat: '5511900000000', identities })).toBe(false);
    },
  );

  test('a number that is the chat is a made name, whatever the identities', () => {
    expect(hasPlaceholderName({ name: '5511988887777', chat: '5511988887777', identities: [] })).toBe(true);
    expect(hasPlaceholderName({ name: '5511988887777', chat: null, identities: [lid('x')] })).toBe(false);
  });

  test.each(['Ana', 'Hidden number', 'Hidden number 12345', 'A Hidden number 1234', '5511988887778'])(
    '%j cannot be a made name, whatever the identities',
    (name) => {
      expect(mayHavePlaceholderName({ name, chat: '5511988887777' })).toBe(false);
    },
  );
}
