// Every attack, in the order of the table.

import type { Attack } from './attack.js';
import { fieldAttacks } from './field-attacks.js';
import { gatewayAttacks } from './gateway-attacks.js';
import { intakeAttacks } from './intake-attacks.js';
import { liveAttacks } from './live-attacks.js';
import { readerAttacks } from './reader-attacks.js';
import { strangerAttacks } from './stranger-attacks.js';

export const attacks: readonly Attack[] = [
  ...strangerAttacks,
  ...readerAttacks,
  ...liveAttacks,
  ...intakeAttacks,
  ...gatewayAttacks,
  ...fieldAttacks,
];
