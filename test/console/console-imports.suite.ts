// The imports within the console: pages import parts, and parts never import pages.

import { readFile, readdir } from 'node:fs/promises';
import { join, relative, resolve, dirname } from 'node:path';

const root = resolve('src/console');
const importPattern = /(?:from|import)\s*\(?\s*'([^']+)'/g;

interface Import {
  from: string;
  /** The path from src/console, or the name of a package. */
  to: string;
  isPackage: boolean;
  isLazy: boolean;
}

async function readImports(): Promise<Import[]> {
  const names = (await readdir(root, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(root, name), 'utf8');
      return [...text.matchAll(importPattern)].map(([whole, target = '']): Import => {
        const isPackage = !target.startsWith('.');
        const to = isPackage ? target : relative(root, resolve(root, dirname(name), target));
        return { from: name, to, isPackage, isLazy: whole.includes('(') };
      });
    }),
  );
  return found.flat();
}

/** The build runs in Node, and reads how the guides are grouped. */
const isOfBuild = (path: string) => path === 'vite.config.ts' || path.startsWith('build/');

const pageOf = (path: string) => /^pages\/([^/]+)\//.exec(path)?.[1];

export function describeConsoleImports(): void {
  let imports: Import[];
  const lines = (wrong: (one: Import) => boolean) => imports.filter(wrong).map(({ from, to }) => `${from} → ${to}`);

  beforeAll(async () => {
    imports = await readImports();
  });

  test('they are found, those of components too', () => {
    expect(imports.length).toBeGreaterThan(300);
    expect(imports.some(({ from, to }) => from === 'pages/inbox/inbox-page.tsx' && to.startsWith('live/'))).toBe(true);
  });

  test('only the router imports a page, and waits until it is visited', () => {
    const isWrong = ({ from, to, isLazy }: Import) =>
      pageOf(from) === undefined &&
      pageOf(to) !== undefined &&
      !isOfBuild(from) &&
      !(from === 'app/router.tsx' && isLazy);
    expect(lines(isWrong)).toEqual([]);
  });

  test('no page imports another one', () => {
    const isOther = ({ from, to }: Import) =>
      pageOf(from) !== undefined && ![undefined, pageOf(from)].includes(pageOf(to));
    expect(lines(isOther)).toEqual([]);
  });

  test('nothing outside of the console is imported but packages, and none of Node', () => {
    // Only the documentation pages import the guides, which are shown as they are written.
    const isGuide = ({ from, to }: Import) => from.startsWith('pages/docs/') && to.startsWith('../docs/');
    expect(lines((one) => !one.isPackage && one.to.startsWith('..') && !isGuide(one))).toEqual([]);
    expect(lines(({ from, to, isPackage }) => isPackage && to.startsWith('node:') && !isOfBuild(from))).toEqual([]);
  });
}
