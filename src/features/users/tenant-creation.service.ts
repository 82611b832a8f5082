// A tenant with its first ADMIN, in one transaction.

import type { Database, SqlRunner } from '../../platform/database.js';
import { parseInput } from '../../platform/input.js';
import { requirePlatform } from '../../platform/principal.js';
import type { CommandPrincipal, Principal } from '../../platform/principal.js';
import type { TenantRecord, TenantService } from '../tenants/tenant.service.js';
import { createTenantWithAdminSchema } from './user.schema.js';
import type { CreateTenantWithAdminInput } from './user.schema.js';
import type { UserService } from './user.service.js';

export interface TenantCreationOptions {
  database: Database;
  tenants: TenantService;
  users: UserService;
  /** In the transaction that creates a tenant: what it begins with. */
  onCreated: (sql: SqlRunner, tenantId: string) => Promise<void>;
}

export class TenantCreationService {
  constructor(private readonly options: TenantCreationOptions) {}

  /**
   * Creates a tenant with a fresh API key and, where `adminEmail` is given, its first ADMIN. The first tenant of a database
   * becomes the platform tenant. ADMINs of the platform tenant and commands only.
   * @throws AppError CONFLICT when the slug or the ADMIN's subject is taken; then nothing is created
   */
  async create(
    principal: Principal | CommandPrincipal | undefined,
    input: CreateTenantWithAdminInput,
  ): Promise<TenantRecord> {
    const actor = requirePlatform(principal);
    const { adminEmail, adminIdpSub, ...wanted } = parseInput(createTenantWithAdminSchema, input);
    const { database, tenants, users, onCreated } = this.options;
    return database.transaction(async (sql) => {
      const tenant = await tenants.create(actor, sql, wanted);
      if (adminEmail != null)
        await users.insert(actor, sql, tenant.id, { email: adminEmail, role: 'ADMIN', idpSub: adminIdpSub });
      await onCreated(sql, tenant.id);
      return tenant;
    });
  }
}
