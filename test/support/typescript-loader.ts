// Lets plain Node run this repository's TypeScript (`node --import ./test/support/typescript-loader.ts …`). Test files, Jest's global
// setup, and processes that tests start and kill need it.

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync, version, type Options } from '@swc/core';

const tests = new URL('..', import.meta.url).href;
const options: Options = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2024',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};
/** Holds what was made of each file. Without it, every worker would translate the product, and for each test file its helpers again. */
const folder = fileURLToPath(new URL('../../node_modules/.cache/translated', import.meta.url));

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context;
    const isRelative = /^\.{1,2}\//.test(specifier) && specifier.endsWith('.js') && parentURL !== undefined;
    const source = isRelative ? new URL(specifier.replace(/\.js$/, '.ts'), parentURL) : undefined;
    const resolved =
      source !== undefined && existsSync(source)
        ? { url: source.href, shortCircuit: true }
        : nextResolve(specifier, context);
    return { ...resolved, url: ofItsFile(resolved.url, parentURL) };
  },
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !/\.ts(\?|$)/.test(url)) return nextLoad(url, context);
    const code = translate(fileURLToPath(url));
    return { format: 'module', source: code, shortCircuit: true };
  },
});

function translate(filename: string): string {
  const source = readFileSync(filename, 'utf8');
  const path = join(folder, hash('sha256', filename));
  const key = hash('sha256', JSON.stringify([version, options, source]));
  const kept = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (kept.startsWith(key)) return kept.slice(key.length);
  const { code } = transformSync(source, { ...options, filename });
  keep(path, key + code);
  return code;
}

/** Keeps a text for other processes, which find the whole of it or nothing. A folder that takes none only costs time. */
function keep(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(unfinished, text);
    renameSync(unfinished, path);
  } catch {
    // The next process translates the file again.
  }
}

// Node loads modules below `test` once for each test file, which their query names. It loads modules of the product only once.
function ofItsFile(url: string, parentURL: string | undefined): string {
  const query = parentURL === undefined ? '' : new URL(parentURL).search;
  return query !== '' && url.startsWith(tests) && !url.includes('?') ? url + query : url;
}
