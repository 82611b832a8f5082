// The files of a paste. Cells of a spreadsheet come with a picture of themselves, and a screenshot comes without a name of its own.

import { toLocalTime } from '../../i18n/local-time.js';

interface Pasted {
  types: readonly string[];
  files: Iterable<File>;
}

/** The name that browsers give to a picture that was copied from no file. */
const nameless = /^image\.(?<type>\w+)$/;

/**
 * Returns the files to attach; an empty list leaves the paste to the text field. Words with a format of their own are words, whatever
 * picture of them is there. A file manager gives the file's name as plain text alone.
 * @param word names a picture that has no name
 */
export function filesOfPaste({ types, files }: Pasted, word: string, now = new Date()): File[] {
  if (types.includes('text/plain') && (types.includes('text/html') || types.includes('text/rtf'))) return [];
  const time = toLocalTime(now.toISOString()).replace('T', ' ').replace(':', '.');
  return [...files].map((file) => {
    const type = nameless.exec(file.name)?.groups?.['type'];
    return type === undefined ? file : new File([file], `${word} ${time}.${type}`, { type: file.type });
  });
}
