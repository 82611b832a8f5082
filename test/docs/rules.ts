// The rules for every page of the documents: its size, paragraphs, sentences and words. Links and file names have to lead to existing
// targets. Blocks that commands write are exempt from all but the rule on links.

import { access, readdir } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path/posix';
import { withoutBlocks, type Page } from './pages.js';

const maxReadmeBytes = 10_000;
const maxPageBytes = 20_000;
const maxParagraphLength = 600;
const maxRowLength = 600;
const maxSentenceWords = 25;

/** Archaisms, words that the glossary replaces, and words of a building. */
const unwantedWords =
  /(?<!encrypt-)\b(anew|whoever|whomever|whatever befell|befell|mend(?:s|ed|ing)?|nobody's|somebody's|doors?|gatherers?|gathered|turnstiles?|waiting places?|foreign names?|network lines?|wake-ups?|short way|long way|henceforth|hitherto|thereupon|beforehand|so dear|as yet|fail not|is told of|are told of|was told of|told of)\b/i;

/** @returns the first word that documents and cleaned sources must not use */
export function unwantedWordIn(text: string): string | undefined {
  return unwantedWords.exec(text)?.[1];
}

/** Words that stand for a noun which the reader does not know yet. */
const fragment = /^\s*(?:\/\*\*|\/\/|\*) (?:What|Who|Where|Of|As|One|Those)\b/;

/** @returns true for a line of a comment that opens without its subject */
export function opensAsFragment(line: string): boolean {
  return fragment.test(line);
}

const maxCommentLine = 140;

/** @returns true for a line of a comment that is longer than 140 characters */
export function isLongComment(line: string): boolean {
  return line.length > maxCommentLine && /^\s*(?:\/\*\*|\/\/|\*) /.test(line);
}

/** Returns a sentence for each broken rule of a page. */
export async function problemsOf(page: Page, pages: readonly Page[]): Promise<string[]> {
  const own = withoutBlocks(page.text);
  const problems = [
    ...sizeProblems(page, own),
    ...textProblems(own),
    ...commandProblems(own),
    ...(await fileProblems(own)),
    ...(await linkProblems(page, pages)),
  ];
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

/** Lengths of the hand-written paragraphs, as a reader sees them. */
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
      const word = unwantedWordIn(text);
      return word === undefined ? [] : [`"${word}" in: ${text.slice(0, 80)}…`];
    }),
  ];
}

/** Without its configuration, which only Patroni's service knows, patronictl finds no cluster. */
function commandProblems(own: string): string[] {
  const commands = [...own.matchAll(/\bpatronictl (?!-c )[^\n`]+/g)].map(([command]) => command);
  return commands.map((command) => `patronictl without its configuration (-c …): ${command.slice(0, 60)}`);
}

function tooLong(kind: string, text: string, unit: string): string {
  return `a ${kind} of ${text.length} ${unit}: ${text.slice(0, 60)}…`;
}

function wordsOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}`]/u.test(word)).length;
}

/** Returns markdown as a reader sees it: code spans are one word, links are their text. */
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

/** Names of TypeScript files in code spans have to exist: from the root, or the end of a path. */
async function fileProblems(own: string): Promise<string[]> {
  const names = [...withoutCode(own).matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name);
  if (names.length === 0) return [];
  const root = new URL('../../', import.meta.url);
  const folders = ['src', 'test'].map(async (folder) =>
    (await readdir(new URL(folder, root), { recursive: true })).map((path) => `/${folder}/${path}`),
  );
  const paths = (await Promise.all(folders)).flat();
  return names
    .filter((name) => !paths.some((path) => path.endsWith(`/${name}`)))
    .map((name) => `there is no file ${name}.`);
}

interface Link {
  target: string;
  /** The path from the root of the repository. */
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
