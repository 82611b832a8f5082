// Tenants and their API keys: kept encrypted, looked up by hash, shown only to an ADMIN.

import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../../platform/database.js';
import { AppError, notFound } from '../../platform/errors.js';
import { isUuid, parseInput } from '../../platform/input.js';
import { requireAdmin } from '../../platform/principal.js';
import type { Principal, TenantKeyPrincipal } from '../../platform/principal.js';
import { Prisma } from '../../platform/database.js';
import { sha256 } from '../../platform/secret-box.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { createTenantSchema } from './tenant.schema.js';
import type { CreateTenantInput } from './tenant.schema.js';

/** The spec's Tenant with its key. Times are ISO 8601 once rendered. */
export interface TenantWithKey {
  id: string;
  name: string;
  slug: string;
  apiKey: string;
  createdAt: Date;
  updatedAt: Date;
  chatRateLimit: { max: number; durationMs: number } | null;
  webhookSourceLabel: string | null;
}

interface KnownKey {
  principal: TenantKeyPrincipal;
  expiresAtMs: number;
}

// How long a revoked key may still pass on a process that saw it before.
const keyCacheMs = 3_000;
const keyCacheSize = 10_000;
const keyPattern = /^lw_[\w-]{43}$/;

export class TenantService {
  private readonly keys = new LRUCache<string, KnownKey>({ max: keyCacheSize, ttl: keyCacheMs });

  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
  ) {}

  /**
   * The principal behind an API key, or undefined for a key that is unknown or expired. Unknown keys are not cached:
   * a list of guesses cannot push the known ones out.
   */
  async findByApiKey(apiKey: string): Promise<TenantKeyPrincipal | undefined> {
    if (!keyPattern.test(apiKey)) return undefined;
    const hash = sha256(apiKey);
    const cacheKey = hash.toString('base64');
    const known = this.keys.get(cacheKey) ?? (await this.readKey(hash));
    if (known === undefined || known.expiresAtMs <= Date.now()) return undefined;
    this.keys.set(cacheKey, known, { noUpdateTTL: true });
    return known.principal;
  }

  /**
   * An ADMIN reads the own tenant; an ADMIN of the platform tenant any.
   * @throws AppError NOT_FOUND for every other tenant
   */
  async getWithKey(principal: Principal | undefined, id: string): Promise<TenantWithKey> {
    const admin = requireAdmin(principal);
    if (!isUuid(id) || (id.toLowerCase() !== admin.tenantId && !admin.isPlatformTenant)) throw notFound('tenant');
    const tenant = await this.database.prisma.tenant.findUnique({
      where: { id },
      include: { apiKeys: { where: { expiresAt: null } } },
    });
    if (tenant === null) throw notFound('tenant');
    return { ...toTenant(tenant), apiKey: this.openKey(tenant.apiKeys[0]) };
  }

  /**
   * Creates a tenant with a fresh API key. The first tenant of a database becomes the platform tenant.
   * Authorization is the caller's: commands and seeding act for the operator of the service.
   * @throws AppError CONFLICT when the slug is taken
   */
  async create(input: CreateTenantInput): Promise<TenantWithKey> {
    const { name, slug, chatRateLimit, webhookSourceLabel } = parseInput(createTenantSchema, input);
    const apiKey = `lw_${randomBytes(32).toString('base64url')}`;
    const keyId = uuidv7();
    try {
      const tenant = await this.database.prisma.tenant.create({
        data: {
          id: uuidv7(),
          name,
          slug,
          isPlatform: (await this.database.prisma.tenant.count()) === 0,
          chatRateMax: chatRateLimit?.max ?? null,
          chatRateDurationMs: chatRateLimit?.durationMs ?? null,
          webhookSourceLabel: webhookSourceLabel ?? null,
          apiKeys: { create: { id: keyId, hash: sha256(apiKey), ciphertext: this.secretBox.seal(apiKey, keyId) } },
        },
      });
      return { ...toTenant(tenant), apiKey };
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      if ((await this.findBySlug(slug)) !== undefined)
        throw new AppError('CONFLICT', `slug: ${slug} is taken`, { cause: error });
      // Somebody else created the first tenant, the platform's, meanwhile: this one is the second.
      return this.create(input);
    }
  }

  /** The tenant of a slug, with its key; for the operator of the service (seeding, commands). */
  async findBySlug(slug: string): Promise<TenantWithKey | undefined> {
    const tenant = await this.database.prisma.tenant.findUnique({
      where: { slug },
      include: { apiKeys: { where: { expiresAt: null } } },
    });
    return tenant === null ? undefined : { ...toTenant(tenant), apiKey: this.openKey(tenant.apiKeys[0]) };
  }

  private async readKey(hash: Buffer<ArrayBuffer>): Promise<KnownKey | undefined> {
    const [key] = await this.database.query<{ id: string; tenant_id: string; expires_at: Date | null }>(
      { name: 'find-api-key', text: 'SELECT id, tenant_id, expires_at FROM tenant_api_keys WHERE hash = $1' },
      [hash],
    );
    if (key === undefined) return undefined;
    return {
      principal: { kind: 'tenantKey', tenantId: key.tenant_id, keyId: key.id },
      expiresAtMs: key.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    };
  }

  private openKey(key: { id: string; ciphertext: Uint8Array } | undefined): string {
    if (key === undefined) throw new Error('the tenant has no current API key');
    return this.secretBox.open(key.ciphertext, key.id);
  }
}

type TenantRow = Prisma.TenantGetPayload<object>;

function toTenant(row: TenantRow): Omit<TenantWithKey, 'apiKey'> {
  const { id, name, slug, createdAt, updatedAt, webhookSourceLabel, chatRateMax, chatRateDurationMs } = row;
  const limited = chatRateMax !== null && chatRateDurationMs !== null;
  const chatRateLimit = limited ? { max: chatRateMax, durationMs: chatRateDurationMs } : null;
  return { id, name, slug, createdAt, updatedAt, webhookSourceLabel, chatRateLimit };
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}
