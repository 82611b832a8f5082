// The tags and custom fields that a mapping makes of a submission, within the bounds of a lead. Values that do not fit whole stay in the
// metadata as well.

import { withoutMisleadingMarks } from '../../../platform/input/shown-name.js';
import type { CustomFields } from '../../leads/lead-labels.js';
import { maxFieldTextLength, maxTagLength, maxTags } from '../../leads/lead.schema.js';
import { cutText } from './kept-metadata.js';
import type { Mapping } from './mapping.js';
import type { DocumentReader } from './pointer.js';
import { textOf } from './texts.js';

export interface MappedLabels {
  tags: string[];
  customFields: CustomFields;
  /** The pointers to values that are labels as a whole, so the metadata need not keep them. */
  consumed: string[];
}

const separators = /[,;|]/;

export function readLabels(reader: DocumentReader, { tags, customFields }: Mapping): MappedLabels {
  const labels: MappedLabels = { tags: [], customFields: {}, consumed: [] };
  for (const pointer of tags) {
    const read = tagsOf(reader.valueAt(pointer));
    if (read.tags.length > 0 && read.isWhole) labels.consumed.push(pointer);
    labels.tags.push(...read.tags);
  }
  labels.tags = [...new Set(labels.tags)].slice(0, maxTags);
  const fields = [...customFields].flatMap(([name, pointers]) => {
    const found = pointers
      .map((pointer) => ({ pointer, value: fieldValueOf(reader.valueAt(pointer)) }))
      .find(({ value }) => value !== undefined);
    if (found?.value === undefined) return [];
    const kept = typeof found.value === 'string' ? cutText(found.value, maxFieldTextLength) : found.value;
    if (kept === found.value) labels.consumed.push(found.pointer);
    return [[name, kept] as const];
  });
  return { ...labels, customFields: Object.fromEntries(fields) };
}

// The value is a list, or texts with separators between the tags, as in an import of leads.
function tagsOf(value: unknown): { tags: string[]; isWhole: boolean } {
  const texts = (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((each) => textOf(each) ?? []);
  const written = texts
    .flatMap((text) => text.split(separators))
    .map((tag) => withoutMisleadingMarks(tag).trim().toLowerCase().replace(/\s+/g, ' '))
    .filter((tag) => tag !== '');
  const cut = written.map((tag) => cutText(tag, maxTagLength).trim());
  const isWhole = cut.length <= maxTags && cut.every((tag, index) => tag === written[index]);
  return { tags: cut.slice(0, maxTags), isWhole };
}

function fieldValueOf(value: unknown): string | number | boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) {
    const texts = (value as unknown[]).flatMap((each) => textOf(each)?.trim() ?? []);
    return texts.length === 0 ? undefined : texts.join(', ');
  }
  return textOf(value)?.trim();
}
