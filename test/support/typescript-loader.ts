// Lets plain Node run this repository's TypeScript (`node --import ./test/support/typescript-loader.ts …`): for Jest's
// global setup, which Jest loads outside its own module system, and for processes that tests start and kill.

import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isRelative = /^\.{1,2}\//.test(specifier) && specifier.endsWith('.js') && context.parentURL !== undefined;
    if (!isRelative) return nextResolve(specifier, context);
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (!existsSync(source)) return nextResolve(specifier, context);
    return { url: source.href, shortCircuit: true };
  },
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
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
