// The groups of a number, which its text does not have.

import { groupsOfNumber, isNumber, printNumber } from '../../src/console/parts/number-groups.js';

export function describeNumberGroups(): void {
  it.each([
    ['5511955500142', '55 11 95550 -0142'],
    ['551133224455', '55 11 3322 -4455'],
    ['447700900218', '44 7700 900 218'],
    ['442079460113', '44 20 7946 0113'],
    ['441314960156', '44 131 496 0156'],
    ['33639984107', '33 6 39 98 41 07'],
    ['12025550164', '1 202 555 0164'],
    ['61491570156', '61 491 570 156'],
    ['46701740631', '46 70 174 06 31'],
    ['351912345678', '351 912 345 678'],
    ['5215512345678', '52 155 1234 5678'],
    ['5491123456789', '54 9 11 2345 6789'],
    ['79161234567', '7 916 123 45 67'],
    ['290212345', '290 212 345'],
    ['1234', '1 234'],
    ['290', '290'],
  ])('%s', (number, groups) => {
    expect(groupsOfNumber(number).join(' ')).toBe(groups);
  });

  it('keep every digit, in its order', () => {
    for (let length = 1; length <= 20; length++)
      for (const beginning of ['1', '7', '20', '44', '442', '55', '549', '999']) {
        const number = beginning.padEnd(length, '0123456789').slice(0, length);
        expect(groupsOfNumber(number).join('').replaceAll('-', '')).toBe(number);
      }
  });

  it('are printed with spaces that do not break, where only plain text can stand', () => {
    expect(['5511955500142', '442079460113', '290'].map(printNumber)).toEqual([
      '+55\u00A011\u00A095550-0142',
      '+44\u00A020\u00A07946\u00A00113',
      '+290',
    ]);
  });

  it('a name is a number only if it has nothing else', () => {
    expect(['5511955500142', 'Ana', '007', 'Ana 5511955500142', '+5511955500142'].map(isNumber)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
}
