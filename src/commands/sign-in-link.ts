// `npm run tenant -- sign-in-link …`: an address of the console that signs an ADMIN of the tenant in once, where no provider is set up.

import { z } from 'zod';
import { ConfigError, type Config } from '../config/config.js';
import { AppError, invalidField } from '../platform/errors.js';
import { parseInput } from '../platform/input/input.js';
import type { Services } from '../services.js';

export const linkOptions = {
  tenant: { type: 'string', value: '<slug>', fields: ['tenant'], meaning: 'required: the slug of the tenant' },
  email: {
    type: 'string',
    value: '<address>',
    fields: ['email'],
    meaning: 'required: an ADMIN who has not signed in through a provider',
  },
  create: { type: 'boolean', fields: [], meaning: 'creates the ADMIN where nobody has the address' },
} as const;

const linkSchema = z.strictObject({
  tenant: z.string().max(100),
  email: z.email('has to be an e-mail address').max(254),
  create: z.boolean(),
});

export type LinkInput = z.output<typeof linkSchema>;

/** Checks the options before the database is touched. */
export function toLinkInput(values: {
  tenant?: string | undefined;
  email?: string | undefined;
  create?: boolean | undefined;
}): LinkInput {
  for (const name of ['tenant', 'email'] as const) if (!values[name]?.trim()) throw invalidField(name, 'is required');
  return parseInput(linkSchema, { tenant: values.tenant, email: values.email, create: values.create ?? false });
}

/** The console's address, without a slash at its end. @throws ConfigError when a link could not be used */
export function consoleAddressOf(config: Config): string {
  const { identityProvider, jwtSecret, publicUrl, environment, port } = config;
  if (identityProvider !== undefined)
    throw new ConfigError('OIDC_ISSUER_URL is set: users sign in through that provider, and no link counts beside it.');
  if (jwtSecret === undefined) throw new ConfigError('JWT_SECRET is required.');
  if (!config.console) throw new ConfigError('CONSOLE is off: the link leads to the console.');
  if (publicUrl === undefined && environment === 'production')
    throw new ConfigError('PUBLIC_URL is required: the link begins with it.');
  return publicUrl ?? `http://localhost:${port}`;
}

/** @param address of the console @throws AppError NOT_FOUND for an unknown tenant or user; CONFLICT for a user who gets no link */
export async function printSignInLink(
  { tenants, signInLinks }: Pick<Services, 'tenants' | 'signInLinks'>,
  { tenant: slug, email, create: mayCreateUser }: LinkInput,
  address: string,
  print: (line: string) => void,
): Promise<void> {
  const actor = { kind: 'command' } as const;
  const tenant = await tenants.findBySlug(actor, slug);
  if (tenant === undefined) throw new AppError('NOT_FOUND', await noTenantOf(tenants));
  if (!tenant.isActive) throw new AppError('CONFLICT', 'tenant: is deactivated');
  const link = await signInLinks.create(actor, tenant.id, { email, mayCreateUser }).catch((error: unknown) => {
    const isUnknown = error instanceof AppError && error.code === 'NOT_FOUND';
    throw isUnknown ? new AppError('NOT_FOUND', `${error.message}. To make an ADMIN of it, add --create`) : error;
  });
  const lines = {
    tenant: tenant.id,
    admin: link.email,
    'new admin': link.isNewUser ? 'yes' : 'no',
    'counts once until': link.expiresAt.toISOString(),
    // The token stands in the fragment, which no server and no log receives.
    link: `${new URL(address).origin}/sign-in-link#${link.token}`,
  };
  for (const [label, value] of Object.entries(lines)) print(`${label}: ${value}\n`);
}

const maxSlugsShown = 10;

async function noTenantOf(tenants: Services['tenants']): Promise<string> {
  const slugs = await tenants.listSlugs({ kind: 'command' }, maxSlugsShown + 1);
  if (slugs.length === 0) return 'tenant: there is no tenant. Create one with `npm run tenant -- create`';
  const more = slugs.length > maxSlugsShown ? ' and others' : '';
  return `tenant: there is none of this slug. There are: ${slugs.slice(0, maxSlugsShown).join(', ')}${more}`;
}
