// The part of the build that prepares the emoji of the picker: one module for each language, with names, words to search by, and skin
// tones.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { EmojiData, EmojiDetails } from 'frimousse';
import type { Plugin } from 'vite';

/** The console imports these names: they stand for no file. */
const modulePattern = /^virtual:emoji-(en|es|pt)$/;
/** Phones from before the newest emoji show boxes in their place. */
const maxVersion = 15.1;
/** The group of skin tones and hair, which are parts of other emoji. */
const partsOfEmoji = 2;
const tones = ['light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const;

/** An emoji of the package of data. */
interface Source {
  annotation: string;
  tags: string[];
  emoji: string;
  order: number;
  group: number;
  version: number;
  skins?: { emoji: string; tone: number | number[] }[];
}

type Skins = NonNullable<EmojiDetails['skins']>;

export function emojiFiles(): Plugin {
  return {
    name: 'emoji-files',
    resolveId: (id) => (modulePattern.test(id) ? `\0${id}` : undefined),
    async load(id) {
      const language = modulePattern.exec(id.slice(1))?.[1];
      if (language === undefined) return undefined;
      const path = createRequire(import.meta.url).resolve(
        `emoji-picker-element-data/${language}/cldr-native/data.json`,
      );
      const emojis = emojisOf(JSON.parse(await readFile(path, 'utf8')) as Source[]);
      // A browser reads a text of JSON faster than the same as a program.
      return `export const emojis = JSON.parse(${JSON.stringify(JSON.stringify(emojis))});`;
    },
  };
}

function emojisOf(all: readonly Source[]): EmojiData['emojis'] {
  return all
    .filter(({ version, group }) => version <= maxVersion && group !== partsOfEmoji)
    .toSorted((one, other) => one.order - other.order)
    .map(({ annotation, tags, emoji, group, version, skins = [] }) => {
      const found = tones.flatMap((tone, index) => {
        const skin = skins.find((one) => one.tone === index + 1);
        return skin === undefined ? [] : [[tone, skin.emoji] as const];
      });
      const inTones = found.length === tones.length && (Object.fromEntries(found) as Skins);
      return { emoji, label: annotation, category: group, version, tags, ...(inTones && { skins: inTones }) };
    });
}
