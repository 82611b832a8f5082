// Signed addresses of files: a reader with one may read that file until it ends. The key comes from ENCRYPTION_KEY, and addresses that the
// previous key signed stay valid.

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { timeOfId } from '../../platform/database/record-id.js';
import { isUuid } from '../../platform/input/input.js';

export interface MediaAddressOptions {
  /** The keys, 32 bytes each: the first signs, all of them verify. */
  secrets: readonly Buffer[];
  /** The service's address for callers, without a slash at the end; undefined if it is not configured. */
  publicUrl: string | undefined;
}

/** The shortest validity of a client's address, and of a gateway's. */
const addressLifeMs = 3_600_000;
const gatewayAddressLifeMs = 24 * 3_600_000;
// Addresses for clients that are made within this time are equal, so that browsers can use their cached files.
const stepMs = 300_000;
const keyPurpose = 'leadwire media addresses';

export const addressQuerySchema = z.object({
  tenant: z.guid(),
  expires: z.string().regex(/^\d{1,12}$/),
  signature: z.string().regex(/^[\w-]{43}$/),
});

export type VerifiedAddress =
  { outcome: 'valid'; tenantId: string; id: string } | { outcome: 'expired' } | { outcome: 'invalid' };

export class MediaAddresses {
  /** True if gateways elsewhere can reach the addresses. It is false while this machine's own address stands in for PUBLIC_URL. */
  readonly arePublic: boolean;
  private readonly keys: readonly Buffer[];
  private baseUrl: string | undefined;

  constructor({ secrets, publicUrl }: MediaAddressOptions) {
    this.keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', keyPurpose, 32)));
    this.baseUrl = publicUrl;
    this.arePublic = publicUrl !== undefined;
  }

  /** Uses the address on which the process listens, if no PUBLIC_URL is configured. */
  useLocalUrl(url: string): void {
    this.baseUrl ??= url;
  }

  /** The origin of addresses; undefined if they are paths. */
  get origin(): string | undefined {
    return this.baseUrl === undefined ? undefined : new URL(this.baseUrl).origin;
  }

  /** True if there is an address to give to a gateway. */
  get isKnownOutside(): boolean {
    return this.baseUrl !== undefined;
  }

  /** Returns an address for clients, valid for an hour to 65 minutes. It is a path while the service's address is not known. */
  of(tenantId: string, id: string): string {
    return `${this.baseUrl ?? ''}${this.signedPath(tenantId, id, stepAfter(Date.now() + addressLifeMs, stepMs))}`;
  }

  /**
   * Returns an address for gateways, valid for one to two days. It stays the same for 23 hours from the time of the id: a gateway
   * refuses a repeated send with another body. @returns undefined while the service's address is not known
   */
  forGateway(tenantId: string, id: string): string | undefined {
    if (this.baseUrl === undefined) return undefined;
    // The clocks of processes differ: no step is near the time of the id.
    const firstMs = timeOfId(id).getTime() - addressLifeMs;
    const expiresAtMs = stepAfter(Date.now() + gatewayAddressLifeMs, gatewayAddressLifeMs, firstMs);
    return `${this.baseUrl}${this.signedPath(tenantId, id, expiresAtMs)}`;
  }

  /** @param id the id in the path @param query the query of the request, unchecked */
  verify(id: string, query: unknown): VerifiedAddress {
    const parsed = addressQuerySchema.safeParse(query);
    if (!parsed.success || !isUuid(id)) return { outcome: 'invalid' };
    const { tenant, expires, signature } = parsed.data;
    const given = Buffer.from(signature, 'base64url');
    const isSigned = this.keys.some((key) => {
      const expected = signatureOf(key, tenant, id, expires);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!isSigned) return { outcome: 'invalid' };
    return Number(expires) * 1_000 < Date.now() ? { outcome: 'expired' } : { outcome: 'valid', tenantId: tenant, id };
  }

  private signedPath(tenantId: string, id: string, expiresAtMs: number): string {
    const [key] = this.keys;
    if (key === undefined) throw new Error('there is no key for addresses of files');
    const expires = String(Math.ceil(expiresAtMs / 1_000));
    const signature = signatureOf(key, tenantId, id, expires).toString('base64url');
    return `/media/${id}?tenant=${tenantId}&expires=${expires}&signature=${signature}`;
  }
}

/** @returns the first of the moments from `firstMs` on, each `lengthMs` after the last, that is after `atMs` */
function stepAfter(atMs: number, lengthMs: number, firstMs = 0): number {
  return firstMs + (Math.floor((atMs - firstMs) / lengthMs) + 1) * lengthMs;
}

function signatureOf(key: Buffer, tenantId: string, id: string, expires: string): Buffer {
  return createHmac('sha256', key).update(`${tenantId}:${id}:${expires}`).digest();
}
