// Finds lead sources by the id in a call's path, before the tenant is known.

import { createHmac } from 'node:crypto';
import type { Database } from '../../../platform/database/database.js';
import { KnownCallers } from '../../../platform/http/known-callers.js';
import type { SecretBox } from '../../../platform/secret-box.js';
import { toCountry } from '../../../platform/phone-numbers/country.js';
import type { LeadSourceKind } from '../lead-source-kind.js';
import { defaultToleranceSeconds } from '../lead-source.schema.js';
import { selectSourceToCall, type SourceHmac } from '../lead-source.sql.js';
import { openSecrets, type SealedSecrets } from '../lead-source-secrets.js';
import { mappingOf } from '../reading/mapping.js';
import type { FormSignature } from './form-signature.js';
import type { LeadSourceCaller } from './source-proof.js';

interface SourceRow extends SealedSecrets, SourceHmac {
  tenantId: string;
  id: string;
  kind: LeadSourceKind;
  name: string;
  mapping: Record<string, unknown> | null;
  defaultCountry: string | null;
}

export interface LeadSourceCallersOptions {
  database: Database;
  secretBox: SecretBox;
  /** The keys from which verify tokens are derived: 32 bytes each, the current one first. */
  encryptionKeys: readonly Buffer[];
}

const verifyTokenLength = 32;

export class LeadSourceCallers {
  readonly callers: KnownCallers<LeadSourceCaller>;

  constructor(private readonly options: LeadSourceCallersOptions) {
    this.callers = new KnownCallers((id) => this.load(id));
  }

  /** @returns undefined if there is no source with this id, its tenant is not active, or it was deleted */
  find(sourceId: string): Promise<LeadSourceCaller | undefined> {
    return this.callers.find(sourceId);
  }

  /** Returns the token that an ADMIN enters at Meta together with the source's address. */
  verifyTokenOf(sourceId: string): string {
    const [key] = this.options.encryptionKeys;
    if (key === undefined) throw new Error('there is no key of encryption');
    return verifyTokenOf(sourceId, key);
  }

  /** Returns the tokens that a handshake may carry. */
  listVerifyTokens({ sourceId, key }: LeadSourceCaller): string[] {
    const derived = this.options.encryptionKeys.map((each) => verifyTokenOf(sourceId, each));
    return key === undefined ? derived : [key, ...derived];
  }

  private async load(id: string): Promise<LeadSourceCaller | undefined> {
    const [row] = await this.options.database.query<SourceRow>(selectSourceToCall, [id]);
    if (row === undefined) return undefined;
    const { tenantId, kind, name, mapping, defaultCountry } = row;
    const { key, appSecret, hmacSecret } = openSecrets(this.options.secretBox, row.id, row);
    return {
      tenantId,
      sourceId: row.id,
      kind,
      name,
      mapping: mappingOf(kind, mapping),
      country: toCountry(defaultCountry),
      key,
      appSecret,
      hmac: signatureOf(row, hmacSecret),
    };
  }
}

function signatureOf(row: SourceHmac, secret: string | undefined): FormSignature | undefined {
  const { hmacHeader: header, hmacAlgorithm: algorithm, hmacEncoding: encoding } = row;
  if (header === null || algorithm === null || encoding === null || secret === undefined) return undefined;
  return {
    header,
    algorithm,
    encoding,
    secret,
    scheme: row.hmacScheme ?? 'BODY',
    timestampHeader: row.hmacTimestampHeader ?? undefined,
    toleranceSeconds: row.hmacToleranceSeconds ?? defaultToleranceSeconds,
  };
}

function verifyTokenOf(sourceId: string, key: Buffer): string {
  const hmac = createHmac('sha256', key).update(`lead source verify token ${sourceId}`);
  return hmac.digest('hex').slice(0, verifyTokenLength);
}
