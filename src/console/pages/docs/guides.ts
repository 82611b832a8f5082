// The guides of src/docs. Each loads when it is first shown, and the search reads all of them.

import { lexer, type Token, type Tokens } from 'marked';
import { heads } from 'virtual:guide-heads';
import { groupGuides } from './guide-groups.js';
import { plainText, sentencesOf, withAddress, withKey } from './guide-text.js';

const sources = import.meta.glob<string>('../../../docs/*.md', { query: '?raw', import: 'default' });
/** The addresses of the built pictures, by path. */
const pictures = import.meta.glob<string>('../../../docs/images/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
});

export const firstGuide = 'use-the-console';

export interface Guide {
  name: string;
  title: string;
  tokens: Token[];
}

export interface Section {
  guide: string;
  guideTitle: string;
  heading: string;
  slug: string;
  text: string;
}

const names = Object.keys(sources).map((path) => path.replace(/^.*\/|\.md$/g, ''));

export const listGuides = () => groupGuides(names);

/** Returns the guide's own title. */
export function titleOf(name: string): string {
  return heads.find((head) => head.name === name)?.title ?? name;
}

/** @param apiKey stands in the examples where it is given */
export async function readGuide(name: string, apiKey?: string): Promise<Guide | undefined> {
  const source = sources[`../../../docs/${name}.md`];
  if (source === undefined) return undefined;
  const text = withAddress(await source(), location.origin);
  return { name, title: titleOf(name), tokens: lexer(apiKey === undefined ? text : withKey(text, apiKey)) };
}

let sections: Promise<Section[]> | undefined;

/** Returns at most 40 sections that contain every word. Matches in headings come first. */
export async function searchGuides(wanted: string): Promise<Section[]> {
  sections ??= Promise.all(names.map((name) => readGuide(name))).then((guides) =>
    guides.flatMap((guide) => sectionsOf(guide)),
  );
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = (await sections).filter(({ heading, text }) => has(`${heading} ${text}`));
  return found.toSorted((one, other) => Number(has(other.heading)) - Number(has(one.heading))).slice(0, 40);
}

function sectionsOf(guide: Guide | undefined): Section[] {
  if (guide === undefined) return [];
  const { name, title, tokens } = guide;
  const found: Section[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = plainText((token as Tokens.Heading).tokens);
      found.push({ guide: name, guideTitle: title, heading, slug: slugOf(heading), text: '' });
    } else {
      const last = found.at(-1);
      if (last !== undefined) last.text += `${token.raw}\n`;
    }
  }
  return found;
}

/** Returns a heading's id: the anchor that GitHub makes of it, or the heading itself where it is a code. */
export function slugOf(heading: string): string {
  if (/^[A-Z]+(?:_[A-Z]+)*$/.test(heading)) return heading;
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** Returns a link's target in the console; undefined for addresses outside the guides. */
export function targetOf(href: string, current: string): { page: string; hash: string } | undefined {
  if (/^[a-z]+:/i.test(href)) return undefined;
  const [path = '', hash = ''] = href.split('#');
  if (path === '') return { page: current, hash };
  const page = path.replace(/^.*\/|\.md$/g, '');
  return names.includes(page) ? { page, hash } : undefined;
}

/** Returns the address of a guide's picture; undefined if the build has no such picture. */
export function pictureAt(href: string): string | undefined {
  return pictures[`../../../docs/${href}`];
}

const maxExcerptLength = 220;

/** Returns whole sentences of a section, from the first that has one of the words on. */
export function excerptOf(text: string, wanted: string): string {
  const plain = text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/```\w*|[`*|#]|:?-{3,}:?/g, ' ');
  const sentences = sentencesOf(plain);
  const words = wanted.toLowerCase().split(/\s+/);
  const first = sentences.findIndex((sentence) => words.some((word) => sentence.toLowerCase().includes(word)));
  let excerpt = '';
  for (const sentence of sentences.slice(Math.max(0, first))) {
    if (excerpt !== '' && excerpt.length + sentence.length > maxExcerptLength) break;
    excerpt = excerpt === '' ? sentence : `${excerpt} ${sentence}`;
  }
  return shortenAtWord(excerpt);
}

// Tables and code have no sentences.
function shortenAtWord(text: string): string {
  if (text.length <= 2 * maxExcerptLength) return text;
  return `${text.slice(0, text.lastIndexOf(' ', 2 * maxExcerptLength))} …`;
}
