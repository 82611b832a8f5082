// The build of the console: hashed files, compressed copies of each, and no inline code. `npm run build` puts the folder in the place of
// dist/console when it is whole.

import { hash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defineConfig, runnerImport, type Plugin } from 'vite';
import { emojiFiles } from './build/emoji-files.js';
import { firstFiles, firstPage } from './build/first-page.js';
import { guideFiles } from './build/guide-files.js';
import { serviceWorker } from './build/service-worker-file.js';

const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};
const server = process.env['LEADWIRE_URL'] ?? 'http://localhost:4000';
const outDir = join(import.meta.dirname, '../../dist/console-new');
const compressible = /\.(html|js|css|svg|json|txt|webmanifest)$/;
/** Only the server reads this file; it is not served. */
const manifestName = 'operations.json';
/** The server writes an address into guides, so it needs no compressed copies of them. */
const isServed = (name: string) => compressible.test(name) && name !== manifestName && !name.startsWith('docs');

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [firstPage(), guideFiles(), emojiFiles(), serviceWorker(), trustedOperations(), precompress()],
  define: { leadwireVersion: JSON.stringify(version) },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups: firstFiles } },
      onwarn(warning, warn) {
        // Packages mark their files for servers that render React, and the bundler warns about each mark.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
  // `npm run console` starts Vite with reloading, against a running server.
  server: {
    host: '127.0.0.1',
    proxy: {
      '^/(auth/|media|public/|webhooks/|leads/(import|export)|messages/export|openapi|health)': server,
      '/graphql': { target: server, ws: true },
    },
  },
});

/** Writes the SHA-256 and text of all operations beside the served files, so that the server knows every operation in advance. */
function trustedOperations(): Plugin {
  return {
    name: 'trusted-operations',
    apply: 'build',
    async closeBundle() {
      const entries = await readdir(import.meta.dirname, { recursive: true });
      const texts: string[] = [];
      for (const name of entries.filter((entry) => entry.endsWith('operations.ts')).sort()) {
        const { module } = await runnerImport<Record<string, unknown>>(join(import.meta.dirname, name));
        for (const [exported, document] of Object.entries(module))
          if (exported.endsWith('Document')) texts.push(String(document));
      }
      if (texts.length === 0) throw new Error('the console has no operations: run `npm run build`');
      const manifest = Object.fromEntries(texts.map((text) => [hash('sha256', text), text]));
      await writeFile(join(outDir, manifestName), JSON.stringify(manifest));
    },
  };
}

/** Writes Brotli and gzip copies of each text file, so that the server compresses nothing. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async closeBundle() {
      const entries = await readdir(outDir, { recursive: true });
      await Promise.all(entries.filter((name) => isServed(name)).map((name) => compress(join(outDir, name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
}
