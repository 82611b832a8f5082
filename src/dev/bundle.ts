// Joins the server's compiled modules and their packages into few files. Node would find, read and link two thousand modules one by one,
// which takes half of the time until a process serves.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown, type OutputChunk, type Plugin } from 'rolldown';

const dist = join(import.meta.dirname, '../../dist');
/** Each entry stays at its place below `dist`. */
const entries = [
  'main',
  'dev/dev',
  'commands/tenant',
  'commands/doctor',
  'commands/encrypt-anew',
  'commands/emit-files',
];
// Two packages try these, which are not installed, and do without them.
const absentPackages = ['class-validator', 'pg-native'];

interface Manifest {
  name: string;
  version: string;
  license: string;
}

const noMapOfPackages: Plugin = {
  name: 'no-map-of-packages',
  transform: {
    filter: { id: /\/node_modules\// },
    // Node parses all source maps when it loads a file, and the packages' maps are the largest part.
    handler: (code) => ({ code, map: { version: 3, sources: [], names: [], mappings: '' } }),
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((entry) => [entry, join(dist, 'modules', `${entry}.js`)])),
  platform: 'node',
  external: absentPackages,
  plugins: [noMapOfPackages],
  onLog: (_, { message }) => {
    throw new Error(message);
  },
});
const { output } = await bundle.write({
  dir: dist,
  sourcemap: true,
  // GraphQL's types and errors are named after their classes.
  keepNames: true,
  // Names without a hash: a server that is running finds a file that it has not loaded yet, also after another build.
  chunkFileNames: (chunk) => `${isOfDevelopment(chunk) ? 'dev' : 'chunks'}/[name].js`,
});
await bundle.close();
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
await writeFile(join(dist, 'licenses.txt'), await licensesOf(modules));

/** Tells whether a file holds modules of `npm run dev` alone, which images leave out. */
function isOfDevelopment({ moduleIds }: Pick<OutputChunk, 'moduleIds'>): boolean {
  return moduleIds.some((id) => /\/dist\/modules\/(?:dev|simulator)\//.test(id));
}

/** Returns the licenses of all packages that the modules belong to. A copy of the bundle has to carry them. */
async function licensesOf(ids: readonly string[]): Promise<string> {
  const folders = ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(folders)].toSorted().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8');
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}
