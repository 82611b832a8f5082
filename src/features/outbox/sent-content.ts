// Reads what a caller asks to send: makes the hash by which a repetition under an idempotency key is recognised, and tells its type.

import { createHash } from 'node:crypto';
import { isPlainObject } from '../../platform/input/input.js';
import type { SentMedia } from '../messages/message.schema.js';
import { parseTemplateVariables } from '../templates/template.schema.js';

/** A caller's request before a template becomes text: ids and values, not what they lead to. */
export interface WantedContent {
  leadId: string;
  instanceId: string | null;
  body: string | null;
  /** Without nulls. */
  media: SentMedia | null;
  templateId: string | null;
  variables: unknown;
  channelTemplate: { id: string; variables?: unknown } | null;
  sendAt: Date | null;
  /** Absent in a request that cannot quote. */
  replyToMessageId?: string | null;
}

/**
 * SHA-256 of what was asked for. The same inputs give the same hash, whatever has become of the template meanwhile: fields and
 * variables that are null count as absent, and the order of variables does not count.
 * @throws AppError VALIDATION_FAILED with paths below `variables`
 */
export function hashOf({
  templateId,
  variables,
  channelTemplate,
  sendAt,
  replyToMessageId = null,
  ...content
}: WantedContent): Buffer<ArrayBuffer> {
  const { leadId, instanceId, body, media } = content;
  const hashed = {
    leadId,
    instanceId,
    body,
    media,
    ...(templateId !== null && { templateId, variables: sortedVariables(variables) }),
    ...(channelTemplate !== null && {
      channelTemplate: { id: channelTemplate.id, variables: sortedJson(channelTemplate.variables ?? {}) },
    }),
    ...(sendAt !== null && { sendAt: sendAt.toISOString() }),
    ...(replyToMessageId !== null && { replyToMessageId }),
  };
  return createHash('sha256').update(JSON.stringify(hashed)).digest();
}

/** An absent field and a null one are the same content. */
export function withoutNulls(media: SentMedia): SentMedia {
  const { id, url, mimeType, fileName, caption } = media;
  return {
    ...(id != null && { id }),
    ...(url != null && { url }),
    ...(mimeType != null && { mimeType }),
    ...(fileName != null && { fileName }),
    ...(caption != null && { caption }),
  };
}

/** `text`, or the kind of file. */
export function typeOf(media: SentMedia | null): string {
  if (media === null) return 'text';
  const kind = media.mimeType?.split('/')[0];
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document';
}

/** JSON whose objects have their fields in one order, without those that are null. It nests as deep as the caller's input may. */
export function sortedJson(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(sortedJson);
  if (!isPlainObject(value)) return value;
  const given = Object.entries(value).filter(([, item]) => item != null);
  return given.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, item]) => [name, sortedJson(item)]);
}

function sortedVariables(variables: unknown): [name: string, value: string][] {
  return [...parseTemplateVariables(variables)].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
