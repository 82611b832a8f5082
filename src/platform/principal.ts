// The caller of a service. Every service call takes a principal first; the tenant of every record it touches is the principal's.

import { AppError, tokenRequired } from './errors.js';
import { isUuid } from './input/input.js';

export type Role = 'ADMIN' | 'OPERATOR';

/** A signed-in person (Bearer token). */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly tenantId: string;
  readonly userId: string;
  readonly accountId: string;
  readonly role: Role;
  readonly email: string;
  /** True if the user's tenant is the platform tenant, whose ADMINs see all tenants. */
  readonly isPlatformTenant: boolean;
  /** True if the user's assistant calls for the user: the audit log says so. */
  readonly isAssistant?: true;
  /** True if it stands for all users of a role, who share what a subscription shows. Then nothing may depend on who they are. */
  readonly isAudience?: true;
}

/** An integrator (`x-tenant-key`). */
export interface TenantKeyPrincipal {
  readonly kind: 'tenantKey';
  readonly tenantId: string;
  readonly keyId: string;
  /** The country of numbers in national form: ISO 3166-1 alpha-2. */
  readonly defaultCountry: string | null;
}

/** Meta, calling a webhook of one chat instance. */
export interface MetaWebhookPrincipal {
  readonly tenantId: string;
  readonly instanceId: string;
  readonly instanceName: string;
  /** The number's id at the network, where the instance's metadata give it (`phoneNumberId`). */
  readonly phoneNumberId: string | undefined;
}

/** A lead source, calling its webhook. */
export interface LeadSourcePrincipal {
  readonly tenantId: string;
  readonly sourceId: string;
  /** True if the call proved that it comes from the source. A form without a signature proves nothing. */
  readonly isSigned: boolean;
}

/** A worker acting for one tenant. */
export interface SystemPrincipal {
  readonly kind: 'system';
  readonly tenantId: string;
}

/** The administrator at a shell (commands, seeding), bound to no tenant. No API ever makes one. */
export interface CommandPrincipal {
  readonly kind: 'command';
}

export type Principal = UserPrincipal | TenantKeyPrincipal | SystemPrincipal;

/** @throws AppError UNAUTHENTICATED without a principal, FORBIDDEN when it is not a user */
export function requireUser(principal: Principal | undefined): UserPrincipal {
  if (principal === undefined) throw tokenRequired();
  if (principal.kind !== 'user') throw new AppError('FORBIDDEN', 'Only a signed-in user may do this');
  return principal;
}

/** @throws AppError UNAUTHENTICATED without a principal, FORBIDDEN when the role is not ADMIN */
export function requireAdmin(principal: Principal | undefined): UserPrincipal {
  const user = requireUser(principal);
  if (user.role !== 'ADMIN') throw new AppError('FORBIDDEN', 'Only an ADMIN may do this');
  return user;
}

/** @throws AppError UNAUTHENTICATED or FORBIDDEN unless an ADMIN of the platform tenant, or a command, asks */
export function requirePlatform(principal: Principal | CommandPrincipal | undefined): UserPrincipal | CommandPrincipal {
  if (principal?.kind === 'command') return principal;
  const admin = requireAdmin(principal);
  if (!admin.isPlatformTenant) throw new AppError('FORBIDDEN', 'Only an ADMIN of the platform tenant may do this');
  return admin;
}

/** Returns whether a user may see a tenant: their own, or any for an ADMIN of the platform tenant. @param id from outside */
export function seesTenant({ tenantId, role, isPlatformTenant }: UserPrincipal, id: string): boolean {
  return id.toLowerCase() === tenantId || (isPlatformTenant && role === 'ADMIN' && isUuid(id));
}
