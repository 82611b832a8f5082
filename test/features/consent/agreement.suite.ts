// The consent field of a form: a known word of agreement gives consent, and nothing else does.

import { isAgreement } from '../../../src/features/consent/agreement.js';

export function describeAgreement(): void {
  test.each([
    true,
    1,
    '1',
    'true',
    'on',
    'Yes',
    ' SIM ',
    'Sí',
    'si',
    'oui',
    'JA',
    'x',
    'checked',
    'Accepted',
    'agree',
    'agreed',
    'granted',
    'Aceito',
    'acepto',
    ['news', 'yes'],
    ['yes', 'news'],
    ['0', '1'],
    ['off', 'on'],
  ])('%j agrees', (value) => expect(isAgreement(value)).toBe(true));

  test.each([
    false,
    0,
    2,
    null,
    undefined,
    '',
    'Nein',
    'declined',
    'No, thanks',
    'unchecked',
    'não',
    'yes, but not by telephone',
    'null',
    'disagree',
    {},
    [],
    ['Nein'],
    ['Sim', 'Não'],
    ['1', '0'],
    ['on', 'unchecked'],
    ['yes', 'No, thanks'],
    [true, false],
    { yes: true },
  ])('%j does not', (value) => expect(isAgreement(value)).toBe(false));
}
