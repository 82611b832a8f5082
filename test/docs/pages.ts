// Reads and writes the documents: README.md and every page of src/docs, and the blocks in them that commands write.

import { readFile, readdir, writeFile } from 'node:fs/promises';

const root = new URL('../../', import.meta.url);
const docsFolder = 'src/docs';

/** @property path from the root of the repository, with forward slashes */
export interface Page {
  path: string;
  text: string;
}

/** README.md first, then the pages of src/docs by name. */
export async function readPages(): Promise<Page[]> {
  const names = (await readdir(new URL(docsFolder, root))).filter((name) => name.endsWith('.md')).toSorted();
  const paths = ['README.md', ...names.map((name) => `${docsFolder}/${name}`)];
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(new URL(path, root), 'utf8') })));
}

/** @param path from the root of the repository */
export function writePage({ path, text }: Page): Promise<void> {
  return writeFile(new URL(path, root), text);
}

const blockPattern = /(<!-- begin:([\w-]+) -->\n)([\s\S]*?)(\n<!-- end:\2 -->)/g;

/** The names of the blocks of a page, in their order. */
export function blockNames(text: string): string[] {
  return [...text.matchAll(blockPattern)].map(([, , name = '']) => name);
}

/** The page with new content in its blocks. @param contents by the block's name; a block without one stays as it is */
export function fillBlocks(text: string, contents: ReadonlyMap<string, string>): string {
  return text.replaceAll(blockPattern, (whole: string, begin: string, name: string, _old: string, end: string) => {
    const content = contents.get(name);
    return content === undefined ? whole : `${begin}${content.trim()}${end}`;
  });
}

/** Returns the hand-written part of the page: its text without the content of its blocks. */
export function withoutBlocks(text: string): string {
  return text.replaceAll(
    blockPattern,
    (_whole: string, begin: string, _name: string, _old: string, end: string) => begin + end,
  );
}

/**
 * Replaces one block in the page that contains it.
 * @returns the path of that page
 * @throws Error if no page has the block
 */
export async function writeBlock(name: string, content: string): Promise<string> {
  const page = (await readPages()).find(({ text }) => blockNames(text).includes(name));
  if (page === undefined)
    throw new Error(`No page has the block ${name}: add <!-- begin:${name} --> and <!-- end:${name} -->.`);
  await writePage({ ...page, text: fillBlocks(page.text, new Map([[name, content]])) });
  return page.path;
}
