// Quick replies as texts: the word behind a slash at the cursor, the templates that it means, and a template's text for a lead.

import type { DraftFile } from '../../live/drafts.js';
import { missingOf, parseTemplate, renderParts, type TemplateLead } from '../../parts/template-text.js';
import type { QuickReplyFragment } from './operations.js';

/** The most templates that are offered at once. */
export const maxOffered = 20;

/** A slash and the letters behind it, as far as the cursor. */
export interface SlashWord {
  /** The place of the slash. */
  start: number;
  /** Without the slash, in lower case. */
  word: string;
}

/** Finds the word at the cursor. A slash counts at the beginning of a word: dates and addresses have theirs inside. */
export function slashWordAt(text: string, caret: number): SlashWord | undefined {
  const [, word] = /(?:^|\s)\/([\p{L}\p{M}\p{N}_-]{0,32})$/u.exec(text.slice(0, caret)) ?? [];
  return word === undefined ? undefined : { start: caret - word.length - 1, word: word.normalize('NFC').toLowerCase() };
}

/** Returns the templates that a word means: those whose shortcut begins with it, then those whose name or shortcut has it. */
export function templatesFor(templates: readonly QuickReplyFragment[], word: string): QuickReplyFragment[] {
  const rank = ({ shortcut, name }: QuickReplyFragment) => {
    if (shortcut === word && word !== '') return 0;
    if (shortcut?.startsWith(word) === true) return 1;
    return name.toLowerCase().includes(word) || shortcut?.includes(word) === true ? 2 : 3;
  };
  const found = templates.map((template) => ({ template, rank: rank(template) })).filter((one) => one.rank < 3);
  const order = found.toSorted(
    (one, other) =>
      one.rank - other.rank ||
      (one.template.shortcut ?? one.template.name).localeCompare(other.template.shortcut ?? other.template.name),
  );
  return order.slice(0, maxOffered).map(({ template }) => template);
}

/**
 * Fills in what is known of the lead. A field that the lead does not have is left out.
 * @returns undefined if the sender has to give values, or if the text would be empty
 */
export function textFor(body: string, lead: TemplateLead | undefined): string | undefined {
  const parsed = parseTemplate(body);
  if ('problem' in parsed) return undefined;
  const isAsked = parsed.variables.some(
    ({ name, isLeadField }) => !isLeadField && missingOf(parsed, {}, lead).includes(name),
  );
  if (isAsked) return undefined;
  let text = '';
  let isAfterGap = false;
  for (const part of renderParts(parsed, {}, lead)) {
    const added = 'missing' in part ? '' : part.text;
    // No blank stays before a mark that followed the name.
    if (isAfterGap && added !== '' && /^[\s,.;:!?]/.test(added)) text = text.replace(/ $/, '');
    isAfterGap = 'missing' in part;
    text += added;
  }
  return text.trim() === '' ? undefined : text.trimEnd();
}

/** Puts a text in the place of the word at the cursor. @returns the whole text, and the cursor behind what was put in */
export function putInPlace(
  text: string,
  { start, word }: SlashWord,
  inserted: string,
): { text: string; caret: number } {
  const end = start + 1 + word.length;
  return { text: text.slice(0, start) + inserted + text.slice(end), caret: start + inserted.length };
}

/** A template's files as files of a draft. They are kept for as long as the template has them. */
export function filesOf({ files }: Pick<QuickReplyFragment, 'files'>, now: number): DraftFile[] {
  return files.map(({ id, fileName, mimeType, size }) => ({
    id,
    name: fileName ?? mimeType,
    size,
    mimeType,
    uploadedAt: now,
  }));
}
