// What one message is to say, as it was asked for: its kind, and the hash by which a repeated call is recognised. Where the text
// of a template comes from belongs to templates.

import { createHash } from 'node:crypto';
import { parseTemplateVariables } from '../templates/template.schema.js';
import type { Media } from '../messages/message.schema.js';

/** What a caller asks for, before a template becomes text: ids and values, not what they lead to. */
export interface WantedContent {
  leadId: string;
  instanceId: string | null;
  body: string | null;
  /** Without nulls. */
  media: Media | null;
  templateId: string | null;
  variables: unknown;
  sendAt: Date | null;
}

/**
 * SHA-256 of what was asked for. The same inputs give the same hash, whatever has become of the template meanwhile: fields and
 * variables that are null count as absent, and the order of variables does not count.
 * @throws AppError VALIDATION_FAILED with paths below `variables`
 */
export function hashOf({ templateId, variables, sendAt, ...content }: WantedContent): Buffer<ArrayBuffer> {
  const { leadId, instanceId, body, media } = content;
  const hashed = {
    leadId,
    instanceId,
    body,
    media,
    ...(templateId !== null && { templateId, variables: sortedVariables(variables) }),
    ...(sendAt !== null && { sendAt: sendAt.toISOString() }),
  };
  return createHash('sha256').update(JSON.stringify(hashed)).digest();
}

/** An absent field and a null one are the same content. */
export function withoutNulls(media: Media): Media {
  const { url, mimeType, fileName, caption } = media;
  return {
    url,
    ...(mimeType != null && { mimeType }),
    ...(fileName != null && { fileName }),
    ...(caption != null && { caption }),
  };
}

/** `text`, or the kind of file. */
export function typeOf(media: Media | null): string {
  if (media === null) return 'text';
  const kind = media.mimeType?.split('/')[0];
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document';
}

function sortedVariables(variables: unknown): [name: string, value: string][] {
  return [...parseTemplateVariables(variables)].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
