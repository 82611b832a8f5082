// What every page of the documents has to keep to: its size, the length of paragraphs and sentences, its words, and links that lead
// somewhere. Blocks that commands write are exempt from all but the links.

import { access } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path/posix';
import type { Page } from './pages.js';
import { withoutBlocks } from './pages.js';

const maxReadmeBytes = 10_000;
const maxPageBytes = 20_000;
const maxParagraphLength = 600;
const maxRowLength = 600;
const maxSentenceWords = 25;

/** Words of the past, of a private vocabulary, or of a building. */
const unwantedWords =
  /\b(anew|whoever|whatever befell|mend(?:s|ed|ing)?|nobody's|doors?|gatherers?|gathered|turnstiles?|wake-ups?|henceforth|hitherto|thereupon|beforehand|so dear|as yet|is told of|are told of)\b/i;

/** What is wrong with a page, a sentence each. */
export async function problemsOf(page: Page, pages: readonly Page[]): Promise<string[]> {
  const own = withoutBlocks(page.text);
  const problems = [...sizeProblems(page, own), ...textProblems(own), ...(await linkProblems(page, pages))];
  return problems.map((problem) => `${page.path}: ${problem}`);
}

/** Pages that no link leads to. */
export function unreachablePages(pages: readonly Page[]): string[] {
  const reached = new Set(['README.md']);
  for (const path of reached) {
    const page = pages.find((one) => one.path === path);
    for (const { file } of page === undefined ? [] : linksOf(page)) if (file.endsWith('.md')) reached.add(file);
  }
  return pages.map(({ path }) => path).filter((path) => !reached.has(path));
}

/** Lengths of the paragraphs that people write, as a reader sees them. */
export function paragraphsOf(text: string): string[] {
  const prose = withoutCode(text)
    .split('\n')
    .filter((line) => !/^\s*(?:\||#{1,6} |<!--)/.test(line))
    .join('\n');
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .map((paragraph) => plain(paragraph))
    .filter((paragraph) => paragraph !== '');
}

function sizeProblems({ path, text }: Page, own: string): string[] {
  const [bytes, bound] =
    path === 'README.md' ? [Buffer.byteLength(text), maxReadmeBytes] : [Buffer.byteLength(own), maxPageBytes];
  return bytes <= bound ? [] : [`it has ${bytes} bytes; ${bound} at most.`];
}

function textProblems(own: string): string[] {
  const rows = withoutCode(own)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const paragraphs = paragraphsOf(own);
  const sentences = paragraphs.flatMap((paragraph) => paragraph.split(/(?<=[.!?:;])\s+/));
  return [
    ...paragraphs
      .filter(({ length }) => length > maxParagraphLength)
      .map((one) => tooLong('paragraph', one, 'characters')),
    ...rows.filter(({ length }) => length > maxRowLength).map((row) => tooLong('row', row, 'characters')),
    ...sentences
      .filter((one) => wordsOf(one) > maxSentenceWords)
      .map((one) => `a sentence of ${wordsOf(one)} words: ${one}`),
    ...[...paragraphs, ...rows.map(plain)].flatMap((text) => {
      const word = unwantedWords.exec(text)?.[1];
      return word === undefined ? [] : [`"${word}" in: ${text.slice(0, 80)}…`];
    }),
  ];
}

function tooLong(kind: string, text: string, unit: string): string {
  return `a ${kind} of ${text.length} ${unit}: ${text.slice(0, 60)}…`;
}

function wordsOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}`]/u.test(word)).length;
}

/** Markdown as it is read: code spans are one word, links their text. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<!--.*?-->|[*_]{2}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function withoutCode(text: string): string {
  return text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');
}

interface Link {
  target: string;
  /** From the root of the repository. */
  file: string;
  anchor: string | undefined;
}

function linksOf({ path, text }: Page): Link[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      return { target, file: file === '' ? path : normalize(join(dirname(path), file)), anchor };
    });
}

async function linkProblems(page: Page, pages: readonly Page[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { target, file, anchor } of linksOf(page)) {
    const other = pages.find(({ path }) => path === file);
    const isThere = other !== undefined || (await access(new URL(`../../${file}`, import.meta.url)).then(yes, no));
    if (!isThere) problems.push(`the link ${target} leads to no file.`);
    else if (anchor !== undefined && !(other !== undefined && anchorsOf(other.text).has(anchor)))
      problems.push(`the link ${target} leads to no heading.`);
  }
  return problems;
}

const yes = () => true;
const no = () => false;

/** The anchors that GitHub gives headings. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}
