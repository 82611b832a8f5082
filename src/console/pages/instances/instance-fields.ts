// Converts the form's fields to the API's input. Empty fields are left out, and changed fields are sent.

import { providers } from '../../parts/providers.js';
import type { CreateChatInstanceInput, UpdateChatInstanceInput } from './operations.js';

/** The values of the form's fields. */
export interface InstanceFields {
  instanceName: string;
  accountId: string;
  provider: string;
  baseUrl: string;
  token: string;
  webhookSecret: string;
  phoneNumberId: string;
  wabaId: string;
  isDefault: boolean;
  removesToken: boolean;
}

export type Metadata = Record<string, unknown> | null;

export const emptyFields: InstanceFields = {
  instanceName: '',
  accountId: '',
  provider: 'gateway',
  baseUrl: '',
  token: '',
  webhookSecret: '',
  phoneNumberId: '',
  wabaId: '',
  isDefault: false,
  removesToken: false,
};

export function toCreation(fields: InstanceFields): CreateChatInstanceInput {
  const { instanceName, accountId, provider, isDefault } = fields;
  const metadata = metadataOf(fields, null);
  return {
    instanceName: instanceName.trim(),
    accountId,
    provider,
    ...(isDefault && { isDefault }),
    ...given('baseUrl', fields),
    ...given('token', fields),
    ...(providers[provider]?.signsCalls && given('webhookSecret', fields)),
    ...(metadata !== null && { metadata }),
  };
}

/** @param before the fields as loaded; their secrets are empty, and a secret that is still empty stays unchanged */
export function toChange(fields: InstanceFields, before: InstanceFields, stored: Metadata): UpdateChatInstanceInput {
  const metadata = metadataOf(fields, stored);
  const baseUrl = fields.baseUrl.trim();
  const name = fields.instanceName.trim();
  return {
    ...(name !== before.instanceName && { instanceName: name }),
    ...(fields.provider !== before.provider && { provider: fields.provider }),
    ...(baseUrl !== before.baseUrl && { baseUrl: baseUrl === '' ? null : baseUrl }),
    ...(fields.removesToken ? { token: null } : given('token', fields)),
    ...(providers[fields.provider]?.signsCalls && given('webhookSecret', fields)),
    ...(JSON.stringify(metadata) !== JSON.stringify(stored) && { metadata }),
    ...(fields.isDefault && !before.isDefault && { isDefault: true }),
  };
}

function given<Name extends 'baseUrl' | 'token' | 'webhookSecret'>(name: Name, fields: InstanceFields) {
  const value = fields[name].trim();
  return (value === '' ? {} : { [name]: value }) as { [Key in Name]?: string };
}

/** Keeps all other metadata of the instance. */
function metadataOf({ provider, phoneNumberId, wabaId }: InstanceFields, stored: Metadata): Metadata {
  if (!providers[provider]?.isMeta) return stored;
  const ids = { phoneNumberId: phoneNumberId.trim(), wabaId: wabaId.trim() };
  const next: Record<string, unknown> = { ...stored };
  for (const [name, value] of Object.entries(ids)) {
    if (value === '') delete next[name];
    else next[name] = value;
  }
  return Object.keys(next).length === 0 ? null : next;
}

/** Returns a text of the metadata for its field. */
export function textOf(metadata: Metadata, name: string): string {
  const value = metadata?.[name];
  return typeof value === 'string' ? value : '';
}
