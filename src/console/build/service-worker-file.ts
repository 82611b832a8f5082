// The part of the build that makes the service worker. It tells it which files the console needs without a network, and names the build.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { Plugin, Rolldown } from 'vite';

const source = join(import.meta.dirname, '../service-worker/service-worker.ts');
/** A service worker keeps its address, so that browsers find the next one. */
const fileName = 'service-worker.js';

/** Bundles the service worker by itself: a second entry of the console would cut its first load into many files. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const index = bundle['index.html'];
        const files = filesOf(bundle);
        const version = hash('sha256', JSON.stringify([files, index?.type === 'asset' && index.source])).slice(0, 16);
        const worker = await rolldown({ input: source });
        const shell = JSON.stringify({ version, files });
        const { output } = await worker.generate({
          format: 'iife',
          minify: true,
          banner: `const shellOfBuild=${shell};`,
        });
        await worker.close();
        this.emitFile({ type: 'asset', fileName, source: output[0].code });
      },
    },
  };
}

/**
 * Lists the scripts, styles and fonts of every page but the guides, which are for reading at a desk. Emoji and voice notes are for sending,
 * which needs a network.
 */
function filesOf(bundle: Rolldown.OutputBundle): string[] {
  const files = new Set<string>(['/assets/icon.svg']);
  const seen = new Set<string>();
  const visit = (name: string) => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || seen.has(name)) return;
    seen.add(name);
    if (
      /\/(?:pages\/)?docs\/|virtual:emoji-|\/(?:emoji-picker|voice-note|voice-file)\./.test(chunk.facadeModuleId ?? '')
    )
      return;
    files.add(`/${name}`);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(`/${style}`);
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) visit(next);
  };
  for (const chunk of Object.values(bundle)) {
    if (chunk.type === 'chunk' && chunk.isEntry) visit(chunk.fileName);
    if (chunk.type === 'asset' && chunk.fileName.endsWith('.woff2')) files.add(`/${chunk.fileName}`);
  }
  return [...files].toSorted();
}
