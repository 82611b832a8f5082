// Secrets are sealed for their source and column, so that one never opens in another's place.

import type { SealedColumn, SecretBox } from '../../platform/secret-box.js';

export interface SealedSecrets {
  keyCiphertext: Uint8Array | null;
  appSecretCiphertext: Uint8Array | null;
  accessTokenCiphertext: Uint8Array | null;
  hmacSecretCiphertext: Uint8Array | null;
}

type SecretName = 'key' | 'appSecret' | 'accessToken' | 'hmacSecret';

export type SourceSecrets = Record<SecretName, string | undefined>;

const table = 'lead_sources';
const ownerOf = (name: SecretName) => (id: string) => `lead source ${name} ${id}`;

const secretColumns = {
  key: { table, column: 'key_ciphertext', ownerOf: ownerOf('key') },
  appSecret: { table, column: 'app_secret_ciphertext', ownerOf: ownerOf('appSecret') },
  accessToken: { table, column: 'access_token_ciphertext', ownerOf: ownerOf('accessToken') },
  hmacSecret: { table, column: 'hmac_secret_ciphertext', ownerOf: ownerOf('hmacSecret') },
} satisfies Record<SecretName, SealedColumn>;

export const leadSourceSecrets: readonly SealedColumn[] = Object.values(secretColumns);

export const sealed = `s.key_ciphertext AS "keyCiphertext", s.app_secret_ciphertext AS "appSecretCiphertext",
  s.access_token_ciphertext AS "accessTokenCiphertext", s.hmac_secret_ciphertext AS "hmacSecretCiphertext"`;

/** @throws Error if the secrets were sealed with another ENCRYPTION_KEY */
export function openSecrets(box: SecretBox, id: string, row: SealedSecrets): SourceSecrets {
  const open = (name: SecretName) => {
    const ciphertext = row[`${name}Ciphertext`];
    return ciphertext === null ? undefined : box.open(ciphertext, ownerOf(name)(id));
  };
  return {
    key: open('key'),
    appSecret: open('appSecret'),
    accessToken: open('accessToken'),
    hmacSecret: open('hmacSecret'),
  };
}

export function openAccessToken(box: SecretBox, id: string, ciphertext: Uint8Array | null): string | null {
  return ciphertext === null ? null : box.open(ciphertext, ownerOf('accessToken')(id));
}

export function sealSecret(box: SecretBox, id: string, name: SecretName, secret: string): Buffer<ArrayBuffer> {
  return box.seal(secret, ownerOf(name)(id));
}
