// The fields of the template editor, and the change that they are: only what differs is sent.

import type { CreateTemplateInput, EditedTemplateFragment, UpdateTemplateInput } from './operations.js';

export type TemplateFile = EditedTemplateFragment['files'][number];

/** The values of the editor's fields. */
export interface TemplateDraft {
  name: string;
  body: string;
  shortcut: string;
  isPersonal: boolean;
  files: readonly TemplateFile[];
}

export const maxFiles = 10;
export const maxShortcutLength = 32;

export function draftOf(template: EditedTemplateFragment | undefined): TemplateDraft {
  return {
    name: template?.name ?? '',
    body: template?.body ?? '',
    shortcut: template?.shortcut ?? '',
    isPersonal: template?.visibility === 'PERSONAL',
    files: template?.files ?? [],
  };
}

/** Returns a shortcut as the service stores it; null for none. */
export function shortcutOf(written: string): string | null {
  const shortcut = written.trim().replace(/^\//, '').normalize('NFC').toLowerCase();
  return shortcut === '' ? null : shortcut;
}

export function isShortcut(written: string): boolean {
  const shortcut = shortcutOf(written);
  return shortcut === null || /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*$/u.test(shortcut);
}

const idsOf = (files: readonly TemplateFile[]) => files.map(({ id }) => id);

export function toCreation({ name, body, shortcut, isPersonal, files }: TemplateDraft): CreateTemplateInput {
  const given = shortcutOf(shortcut);
  return {
    name: name.trim(),
    body,
    ...(given !== null && { shortcut: given }),
    ...(isPersonal && { visibility: 'PERSONAL' as const }),
    ...(files.length > 0 && { fileIds: idsOf(files) }),
  };
}

/** @returns the changed fields alone */
export function toChange(draft: TemplateDraft, template: EditedTemplateFragment): UpdateTemplateInput {
  const before = draftOf(template);
  const fileIds = idsOf(draft.files);
  return {
    ...(draft.name.trim() !== before.name && { name: draft.name.trim() }),
    ...(draft.body !== before.body && { body: draft.body }),
    ...(shortcutOf(draft.shortcut) !== template.shortcut && { shortcut: shortcutOf(draft.shortcut) }),
    ...(draft.isPersonal !== before.isPersonal && {
      visibility: draft.isPersonal ? ('PERSONAL' as const) : ('SHARED' as const),
    }),
    ...(fileIds.join() !== idsOf(before.files).join() && { fileIds }),
  };
}
