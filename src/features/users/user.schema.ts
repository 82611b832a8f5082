// Bounds and formats of user input.

import { z } from 'zod';
import { text } from '../../platform/input.js';

export const createUserSchema = z.strictObject({
  email: z.email('has to be an e-mail address').max(254),
  role: z.enum(['ADMIN', 'OPERATOR']),
  idpSub: text(255).nullish(),
  name: text(200).nullish(),
});

export type CreateUserInput = z.input<typeof createUserSchema>;
