// Changes and merges the labels of a lead, which are its tags and custom fields. Bounds of input belong to lead.schema.ts.

export type CustomFieldValue = string | number | boolean;

export type CustomFields = Record<string, CustomFieldValue>;

export interface Labels {
  /** In lower case, each once. */
  tags: string[];
  customFields: CustomFields;
}

/** A change of labels: `tags` replaces all tags, before the other fields count. A custom field of null is taken away. */
export interface LabelChange {
  tags?: readonly string[] | null | undefined;
  addTags?: readonly string[] | null | undefined;
  removeTags?: readonly string[] | null | undefined;
  customFields?: Readonly<Record<string, CustomFieldValue | null>> | null | undefined;
}

export function changeLabels(labels: Labels, { tags, addTags, removeTags, customFields }: LabelChange): Labels {
  const removed = new Set(removeTags);
  const changed = new Set([...(tags ?? labels.tags), ...(addTags ?? [])]);
  const fields = new Map<string, CustomFieldValue | null>(Object.entries(labels.customFields));
  for (const [name, value] of Object.entries(customFields ?? {})) fields.set(name, value);
  const kept = [...fields].filter((field): field is [string, CustomFieldValue] => field[1] !== null);
  return { tags: [...changed].filter((tag) => !removed.has(tag)), customFields: Object.fromEntries(kept) };
}

/** Labels that a merge has brought above the bound may stay, and be taken away. */
export function hasTooMany(after: number, before: number, max: number): boolean {
  return after > max && after > before;
}

/** The most tags, and the most custom fields, that a lead may get by merges: those of two full leads. */
const maxMergedLabels = 100;

/**
 * Returns the labels that a lead gains from another that is merged into it. Its own fields stay as they are. Labels beyond
 * `maxMergedLabels` stay with the merged lead, which has them again when the merge is undone.
 */
export function labelsToTake(survivor: Labels, merged: Labels): Labels {
  const customFields = Object.entries(merged.customFields).filter(
    ([name]) => !Object.hasOwn(survivor.customFields, name),
  );
  const tags = merged.tags.filter((tag) => !survivor.tags.includes(tag));
  const fieldsLeft = Math.max(0, maxMergedLabels - Object.keys(survivor.customFields).length);
  return {
    tags: tags.slice(0, Math.max(0, maxMergedLabels - survivor.tags.length)),
    customFields: Object.fromEntries(customFields.slice(0, fieldsLeft)),
  };
}

export function withLabels({ tags, customFields }: Labels, gained: Labels): Labels {
  return { tags: [...tags, ...gained.tags], customFields: { ...customFields, ...gained.customFields } };
}

/** Returns the labels without the gained ones, where these are as they were then. */
export function withoutGained({ tags, customFields }: Labels, gained: Labels): Labels {
  const kept = Object.entries(customFields).filter(
    ([name, value]) => !Object.hasOwn(gained.customFields, name) || gained.customFields[name] !== value,
  );
  return { tags: tags.filter((tag) => !gained.tags.includes(tag)), customFields: Object.fromEntries(kept) };
}
