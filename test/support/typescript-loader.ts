// Lets plain Node run this repository's TypeScript (`node --import ./test/support/typescript-loader.ts …`). Test files, Jest's global
// setup, and processes that tests start and kill need it.

import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';

const tests = new URL('..', import.meta.url).href;

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
    const { code } = transformFileSync(fileURLToPath(url), {
      jsc: {
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
        target: 'es2024',
        keepClassNames: true,
      },
      module: { type: 'es6' },
      sourceMaps: 'inline',
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});

// Node loads modules below `test` once for each test file, which their query names. It loads modules of the product only once.
function ofItsFile(url: string, parentURL: string | undefined): string {
  const query = parentURL === undefined ? '' : new URL(parentURL).search;
  return query !== '' && url.startsWith(tests) && !url.includes('?') ? url + query : url;
}
