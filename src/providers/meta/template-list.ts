// Meta's list of message templates, read within bounds. Templates that cannot be kept are left out.

import { z } from 'zod';
import { exceedsDepth, externalId, jsonObject, text } from '../../platform/input/input.js';
import type { NetworkTemplateRecord } from '../chat-gateway.js';

/** The most templates that are read of one business account. */
export const maxListedTemplates = 2_000;

/** The query of a page, and the most bytes that are read of it. */
export const templateListBounds = {
  query: { fields: 'name,language,status,category,components', limit: '100' },
  maxPageBytes: 4 * 1024 * 1024,
} as const;

const maxComponents = 10;
const maxComponentBytes = 32 * 1024;
const maxTemplateDepth = 16;

const pageSchema = z.object({
  data: z.array(z.unknown()).max(1_000),
  paging: z
    .object({ cursors: z.object({ after: text(4_096).optional() }).optional(), next: z.string().optional() })
    .optional()
    .catch(undefined),
});

const templateSchema = z.object({
  // Graph ids are text; a number would have been rounded.
  id: externalId.nullish().catch(null),
  name: text(512),
  language: text(35),
  status: text(64),
  category: text(64).nullish().catch(null),
  components: z.array(jsonObject(maxComponentBytes)).max(maxComponents).default([]),
});

export interface TemplatePage {
  templates: NetworkTemplateRecord[];
  isEmpty: boolean;
  /** The cursor of the next page; undefined on the last one. */
  after: string | undefined;
}

/** @returns undefined for what is no page of a list */
export function readTemplatePage(json: unknown): TemplatePage | undefined {
  const page = pageSchema.safeParse(json).data;
  if (page === undefined) return undefined;
  const templates = page.data.flatMap((item) => readTemplate(item));
  const after = page.paging?.next === undefined ? undefined : page.paging.cursors?.after;
  return { templates, isEmpty: page.data.length === 0, after };
}

function readTemplate(item: unknown): NetworkTemplateRecord[] {
  if (exceedsDepth(item, maxTemplateDepth)) return [];
  const read = templateSchema.safeParse(item).data;
  if (read === undefined) return [];
  const { id, name, language, status, category, components } = read;
  const record = { name, language: languageCode(language), status: status.toUpperCase(), components };
  return [{ ...record, externalId: id ?? null, category: category ?? null }];
}

/** Meta writes a language as `pt_BR` in lists and calls, and as `pt-BR` in some webhooks. */
export function languageCode(language: string): string {
  return language.replaceAll('-', '_');
}
