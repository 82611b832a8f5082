// Chat numbers: common writings, refusals, and the double writings of one number.

import { matchKeyOf, parseChatNumber } from '../../../src/features/leads/chat-number.js';

test.each([
  ['5511988887777', '5511988887777'],
  ['+55 11 98888-7777', '5511988887777'],
  ['+55 (11) 98888.7777', '5511988887777'],
  ['0055 11 98888 7777', '5511988887777'],
  ['tel:+55-11-98888-7777', '5511988887777'],
  ['TEL:+5511988887777', '5511988887777'],
  ['+49/151/0000001', '491510000001'],
  ['+55 11 98888\u20117777', '5511988887777'],
  ['\u202A+55 11 98888 7777\u202C', '5511988887777'],
  ['＋５５１１９８８８８７７７７', '5511988887777'],
  ['  1234567\t', '1234567'],
  ['123456789012345', '123456789012345'],
])('%j is %s', (written, digits) => {
  expect(parseChatNumber(written)).toEqual({ digits });
});

test.each([
  ['123456', /7 to 15/],
  ['1234567890123456', /7 to 15/],
  ['011 98888-7777', /never begins with 0/],
  ['+0 11 98888', /never begins with 0/],
  ['', /phone number/],
  ['+', /phone number/],
  ['ana@example.com', /phone number/],
  ['5511988887777x12', /phone number/],
  ['٥٥١١٩٨٨٨٨٧٧٧٧', /phone number/],
  ['55119888\u00007777', /phone number/],
])('%j is refused', (written, problem) => {
  expect(parseChatNumber(written)).toEqual({ problem: expect.stringMatching(problem) });
});

test.each([
  ["Brazil's ninth digit", '5511988887777', '551188887777'],
  ["Brazil's ninth digit before a 6", '5521966667777', '552166667777'],
  ["Mexico's 1", '5215512345678', '525512345678'],
  ["Argentina's 9", '5491112345678', '541112345678'],
])('%s makes two writings of one number', (_rule, long, short) => {
  expect(matchKeyOf(long)).toBe(matchKeyOf(short));
});

test.each([
  ['a Brazilian landline and the mobile it is not', '551132345678', '5511932345678'],
  ['two different mobiles', '5511988887777', '5511988887778'],
  ['two area codes', '5511988887777', '5521988887777'],
  ['a number that only looks Mexican', '521551234567', '52551234567'],
  ['countries without such a rule', '4915112345678', '491512345678'],
])('%s stay two', (_rule, left, right) => {
  expect(matchKeyOf(left)).not.toBe(matchKeyOf(right));
});
