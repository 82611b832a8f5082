// How the console is built: hashed files under dist/console, each with its compressed copies, and no inline code.

import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

const server = process.env['LEADWIRE_URL'] ?? 'http://localhost:4000';
const outDir = join(import.meta.dirname, '../../dist/console');
const compressible = /\.(html|js|css|svg|json|txt)$/;

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [precompress()],
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
      onwarn(warning, warn) {
        // Packages mark their files for servers that render React.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
  // `npm run console`: Vite with reloading, against a server that runs.
  server: {
    host: '127.0.0.1',
    proxy: {
      '^/(auth/|media|public/|webhooks/|leads/(import|export)|messages/export|openapi|health)': server,
      '/graphql': { target: server, ws: true },
    },
  },
});

/** Brotli and gzip copies beside each text, so that the server compresses nothing. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async closeBundle() {
      const entries = await readdir(outDir, { recursive: true });
      await Promise.all(entries.filter((name) => compressible.test(name)).map((name) => compress(join(outDir, name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
}
