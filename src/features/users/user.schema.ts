// Bounds and formats of user input.

import { z } from 'zod';
import { text, uuid } from '../../platform/input/input.js';
import { shownName } from '../../platform/input/shown-name.js';
import { createTenantSchema } from '../tenants/tenant.schema.js';

/** The most users of one tenant, deactivated ones included. */
export const maxUsers = 2_000;

const email = z.email('has to be an e-mail address').max(254);
const role = z.enum(['ADMIN', 'OPERATOR']);
const idpSub = text(255);
const name = shownName(200);
const displayName = shownName(100);

export const createUserSchema = z.strictObject({
  email,
  role,
  idpSub: idpSub.nullish(),
  name: name.nullish(),
  displayName: displayName.nullish(),
  accountName: name.nullish(),
  tenantId: uuid.nullish(),
});

export type CreateUserInput = z.input<typeof createUserSchema>;

/** Absent fields stay as they are; null takes a name, a display name or a subject away. */
export const updateUserSchema = z.strictObject({
  email: email.optional(),
  role: role.optional(),
  isActive: z.boolean().optional(),
  idpSub: idpSub.nullish(),
  name: name.nullish(),
  displayName: displayName.nullish(),
  accountName: name.optional(),
});

export type UpdateUserInput = z.input<typeof updateUserSchema>;

/** The fields that users change of themselves. Absent fields stay as they are; null takes the display name away. */
export const updateProfileSchema = z.strictObject({ displayName: displayName.nullish() });

export type UpdateProfileInput = z.input<typeof updateProfileSchema>;

/** All given conditions have to hold. `search` is found anywhere in the e-mail address or the name, in any letter case. */
export const userFilterSchema = z.strictObject({
  role: role.nullish(),
  isActive: z.boolean().nullish(),
  search: text(100).nullish(),
});

export type UserFilter = z.input<typeof userFilterSchema>;

/** A tenant with its first ADMIN, where one is named. */
export const createTenantWithAdminSchema = createTenantSchema
  .extend({ adminEmail: email.nullish(), adminIdpSub: idpSub.nullish() })
  .refine(({ adminEmail, adminIdpSub }) => adminIdpSub == null || adminEmail != null, {
    path: ['adminEmail'],
    error: 'is required with adminIdpSub',
  });

export type CreateTenantWithAdminInput = z.input<typeof createTenantWithAdminSchema>;
