// A consent field of a form is given by a known word of agreement, and by nothing else.

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
    { yes: true },
  ])('%j does not', (value) => expect(isAgreement(value)).toBe(false));
}
