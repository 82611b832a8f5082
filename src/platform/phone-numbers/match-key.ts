// Matches numbers: networks and people write some mobile numbers in two ways.

import { toPresentPlan } from './numbering-change.js';

/**
 * Returns the canonical form that makes the known double writings of one mobile number equal: Brazil's ninth digit, Mexico's 1, Argentina's
 * 9, and the former plans of Benin and Ivory Coast. Brazil's digit counts only before 6 to 9, so that landlines stay as they are.
 */
export function matchKeyOfNumber(digits: string): string {
  return toPresentPlan(digits)
    .replace(/^(55\d{2})9([6-9]\d{7})$/, '$1$2')
    .replace(/^521(\d{10})$/, '52$1')
    .replace(/^549(\d{10})$/, '54$1');
}
