// Bounds and formats of lead input, for both doors.

import { z } from 'zod';
import { isPlainObject, jsonObject, text } from '../../platform/input.js';
import { parseChatNumber } from './identity/chat-number.js';

/** Fields of a lead body that are not known are kept; as JSON they may take this much. */
export const maxLeadMetadataBytes = 16 * 1024;

/** Any common writing of a number, as text or as a JSON number; comes out as digits with country code. */
export const chatNumberSchema = z
  .union([z.string().max(64), z.number().int().positive()], {
    error: (issue) => (issue.input === undefined ? 'is required' : 'has to be a phone number'),
  })
  .transform((written, context) => {
    const parsed = parseChatNumber(String(written));
    if ('digits' in parsed) return parsed.digits;
    context.addIssue({ code: 'custom', message: parsed.problem });
    return z.NEVER;
  })
  .describe('A phone number with its country code, in any common writing.');

export const leadNameSchema = text(200);

const knownFields = new Set(['chat', 'name', 'source']);

const leadFields = z.object(
  { chat: chatNumberSchema, name: leadNameSchema.nullish(), source: text(100).nullish() },
  'has to be a JSON object',
);

/** A lead as callers post it: the known fields, and any other. */
export const postedLeadSchema = leadFields.loose();

/** A lead as it is read: known fields by name, everything else in `metadata`. */
export const leadBodySchema = z.preprocess(
  splitMetadata,
  leadFields.extend({ metadata: jsonObject(maxLeadMetadataBytes).optional() }),
);

export type LeadBody = z.output<typeof leadBodySchema>;

function splitMetadata(body: unknown): unknown {
  if (!isPlainObject(body)) return body;
  const { chat, name, source } = body;
  const rest = Object.entries(body).filter(([field]) => !knownFields.has(field));
  // Built from entries, so that a field named __proto__ is kept as a field like any other.
  return { chat, name, source, metadata: rest.length === 0 ? undefined : Object.fromEntries(rest) };
}
