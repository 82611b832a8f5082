// Translates the API's English sentences of fixed forms into the user's language. Any other sentence stays unchanged.

import { textsNow, type Texts } from './language.js';

type Text = string | ((...values: string[]) => string);

/** Takes the place of a value while a sentence is split. No sentence contains it. */
const mark = '\n';

/**
 * @param texts the English texts are the API's own sentences; a text with parameters is a sentence that contains values
 * @param others further wordings of a sentence; a value in them is 1
 */
export function translatorOf<English>(
  texts: Texts<English>,
  others: Readonly<Record<string, keyof English & string>> = {},
): (message: string) => string {
  const english = texts.en as unknown as Record<string, Text>;
  const read = Object.entries(english).map(([key, text]) => {
    const sentence = typeof text === 'string' ? text : text(...Array.from({ length: text.length }, () => mark));
    const pattern = sentence
      .split(mark)
      .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
      .join('(.*)');
    return { key, values: sentence.split(mark).length, pattern: new RegExp(`^${pattern}$`, 's') };
  });
  // Sentences without values come first. A sentence with values could match them too.
  const forms = read.toSorted((one, other) => one.values - other.values);
  return (message) => {
    const now = textsNow(texts) as unknown as Record<string, Text>;
    if (now === english) return message;
    const other = Object.hasOwn(others, message) ? others[message] : undefined;
    if (other !== undefined) return say(now[other], ['1']) ?? message;
    for (const { key, pattern } of forms) {
      const found = pattern.exec(message);
      if (found !== null) return say(now[key], found.slice(1)) ?? message;
    }
    return message;
  };
}

function say(text: Text | undefined, values: readonly string[]): string | undefined {
  return typeof text === 'function' ? text(...values) : text;
}
