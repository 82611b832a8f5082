// Bounds and formats of sign-in input.

import { z } from 'zod';
import { text } from '../../platform/input.js';

export const devTokenSchema = z.strictObject({ idpSub: text(255) });
