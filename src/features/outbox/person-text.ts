// The text of a message that a person writes: the signature before it, and how it goes with the files of a template.

import { exceedsLength, validationFailed } from '../../platform/input/input.js';
import { kindOf } from '../media/media-type.js';
import type { SentMedia } from '../messages/message.schema.js';
import { maxBodyLength, maxCaptionLength } from '../../providers/reported.schema.js';
import { maxTemplateLength } from '../templates/template-text.js';

/** The words of a message: its text, and its file with the caption. */
export interface PersonText {
  body: string | null;
  media: SentMedia | null;
}

/** The longest text that networks show below a file, in characters. */
const maxTextOfFile = 1_024;

/**
 * Puts the signature on a line of its own before the words that the lead sees first: the caption, or else the text. A file alone stays
 * unsigned.
 * @param signature null for none @param isTemplate true if the text was rendered
 * @throws AppError VALIDATION_FAILED where the words are too long with the signature
 */
export function signed<Text extends PersonText>(text: Text, signature: string | null, isTemplate: boolean): Text {
  const { body, media } = text;
  if (signature === null) return text;
  if (media?.caption != null) {
    const caption = `${signature}\n${media.caption}`;
    requireLength('media.caption', caption, maxCaptionLength);
    return { ...text, media: { ...media, caption } };
  }
  if (body === null) return text;
  const whole = `${signature}\n${body}`;
  if (isTemplate) requireLength('variables', whole, maxTemplateLength);
  else requireLength('body', whole, maxBodyLength);
  return { ...text, body: whole };
}

/**
 * Spreads a template's text and its files over messages. The text goes with the first file where networks show it there; otherwise it goes
 * before all files, which follow as messages of their own.
 */
export function withFiles(text: PersonText, files: readonly SentMedia[]): [PersonText, ...PersonText[]] {
  const [first, ...others] = files;
  if (first === undefined) return [text];
  const isShown = kindOf(first.mimeType ?? '') !== 'audio' && !exceedsLength(text.body ?? '', maxTextOfFile);
  if (!isShown) return [text, ...files.map(alone)];
  return [{ ...text, media: first }, ...others.map(alone)];
}

function alone(media: SentMedia): PersonText {
  return { body: null, media };
}

function requireLength(path: string, words: string, max: number): void {
  if (!exceedsLength(words, max)) return;
  throw validationFailed([{ path, message: `must not be longer than ${max} characters together with the signature` }]);
}
