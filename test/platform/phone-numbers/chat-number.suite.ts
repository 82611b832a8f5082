// Chat numbers: common writings, refusals, and the double writings of one number.

import { parseChatNumber } from '../../../src/platform/phone-numbers/written-number.js';
import { matchKeyOfNumber } from '../../../src/platform/phone-numbers/match-key.js';

export function describeChatNumber(): void {
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
    ['55119888\u00007777', /phone number/],
  ])('%j is refused', (written, problem) => {
    expect(parseChatNumber(written)).toEqual({ problem: expect.stringMatching(problem) });
  });

  // Gateways are known to use both writings of one number.
  test.each([
    ['Brazil, ninth digit before a 6', '5511966667777', '551166667777'],
    ['Brazil, ninth digit before a 7', '5521977777777', '552177777777'],
    ['Brazil, ninth digit before an 8', '5511988887777', '551188887777'],
    ['Brazil, ninth digit before a 9', '5585999990000', '558599990000'],
    ['Brazil, the lowest such number', '5511960000000', '551160000000'],
    ['Brazil, the highest such number', '5599999999999', '559999999999'],
    ["Mexico's 1, Mexico City", '5215512345678', '525512345678'],
    ["Mexico's 1 before an area code with a 1", '5211234567890', '521234567890'],
    ["Argentina's 9, Buenos Aires", '5491112345678', '541112345678'],
    ["Argentina's 9 before an area code with a 9", '5499123456789', '549123456789'],
  ])('%s makes two writings of one number', (_rule, long, short) => {
    expect(matchKeyOfNumber(long)).toBe(matchKeyOfNumber(short));
    expect(matchKeyOfNumber(matchKeyOfNumber(long))).toBe(matchKeyOfNumber(long));
  });

  test.each([
    ['a Brazilian landline and the mobile it is not', '551132345678', '5511932345678'],
    ['a Brazilian landline with a 5 and the mobile it is not', '551155555678', '5511955555678'],
    ['a Brazilian number with another digit in the ninth place', '5511888887777', '551188887777'],
    ['a Brazilian number with two digits too many', '55119988887777', '551188887777'],
    ['two different mobiles', '5511988887777', '5511988887778'],
    ['two area codes', '5511988887777', '5521988887777'],
    ['a Mexican number that begins with a 1 of its own', '521551234567', '52551234567'],
    ['a Mexican number with another digit in place of the 1', '5225512345678', '525512345678'],
    ['a Mexican number with a digit too many', '52155123456789', '5255123456789'],
    ['an Argentine number that begins with a 9 of its own', '549111234567', '54111234567'],
    ['an Argentine number with another digit in place of the 9', '5481112345678', '541112345678'],
    ['Mexican and Argentine numbers', '5215512345678', '5495512345678'],
    ['the 1 of other countries', '15551234567', '5551234567'],
    ['the 9 of other countries', '4915112345678', '491512345678'],
    ['a country code that only starts alike', '5521155123456', '552155123456'],
  ])('%s stay two', (_rule, left, right) => {
    expect(matchKeyOfNumber(left)).not.toBe(matchKeyOfNumber(right));
  });

  test.each([
    '551132345678',
    '5511932345678',
    '525512345678',
    '541112345678',
    '4915112345678',
    '15551234567',
    '1234567',
  ])('%s has one writing, and is its own key', (digits) => {
    expect(matchKeyOfNumber(digits)).toBe(digits);
  });
}
