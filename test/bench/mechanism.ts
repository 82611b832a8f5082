// The mechanisms that the product has beside a library or beside a plain way, and copies of the built product without one. A copy differs
// by one line of the build, so that nothing of it stands in the product.

import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProductVersion } from './product-version.js';

export interface Mechanism {
  name: string;
  /** The plain way, which does the work where the mechanism is missing. */
  without: string;
  /** The files that would go, in `src`; none where a mechanism is part of other files. */
  files: readonly string[];
  /** The calls that it is for. */
  load: 'inbound' | 'inbox' | 'inbox pages';
  /** A text of the built product, or of its package.json, which occurs once, and what replaces it. */
  edit: readonly [text: string, replacement: string];
}

export const mechanisms: readonly Mechanism[] = [
  {
    name: 'one statement for plain calls (fast path)',
    without: 'the writer of all calls',
    files: ['features/intake/fast-path.ts', 'features/intake/fast-path.sql.ts'],
    load: 'inbound',
    edit: ['if (call.replayOf !== void 0) return void 0;', 'return void 0;'],
  },
  {
    name: 'known keys',
    without: 'a look-up for each call',
    files: ['features/tenants/api-key.service.ts'],
    load: 'inbound',
    edit: ['findFresh(apiKey) {', 'findFresh(apiKey) { return void 0;'],
  },
  {
    name: 'two flags of V8',
    without: 'the defaults of Node.js',
    files: [],
    load: 'inbound',
    edit: ['--max-semi-space-size=16 --heap-growing-percent=75 ', ''],
  },
  {
    name: 'shares of connections, on intake',
    without: 'the pool alone',
    files: ['platform/database/connection-shares.ts', 'platform/database/operation.ts'],
    load: 'inbound',
    edit: ['async run(kind, claimant, work) {', 'async run(kind, claimant, work) { return work(() => void 0);'],
  },
  {
    name: 'shares of connections, on the inbox',
    without: 'the pool alone',
    files: [],
    load: 'inbox pages',
    edit: ['async run(kind, claimant, work) {', 'async run(kind, claimant, work) { return work(() => void 0);'],
  },
  {
    name: 'plans of queries, on one page',
    without: 'Apollo and graphql-js',
    files: ['transport/graphql/compiled-query.ts', 'transport/graphql/planned-answer.ts'],
    load: 'inbox',
    edit: ['if (this.asked.has(context)) return void 0;', 'return void 0;'],
  },
  {
    name: 'plans of queries, on many pages',
    without: 'Apollo and graphql-js',
    files: [],
    load: 'inbox pages',
    edit: ['if (this.asked.has(context)) return void 0;', 'return void 0;'],
  },
  {
    name: 'shown columns',
    without: 'all columns of a record',
    files: ['platform/database/shown-records.ts'],
    load: 'inbox pages',
    edit: ['if (fields === void 0) return columns;', 'return columns;'],
  },
  {
    name: 'equal reads',
    without: 'a statement for each',
    files: ['platform/database/equal-reads.ts'],
    load: 'inbox',
    edit: ['return key === void 0 ? run(work) :', 'return run(work);'],
  },
];

/**
 * Makes a copy of this repository's built product without a mechanism; `resources` removes it.
 * @throws Error when the text to replace does not occur exactly once
 */
export async function withoutMechanism(
  { name, edit }: Mechanism,
  resources: AsyncDisposableStack,
): Promise<ProductVersion> {
  const { folder } = ProductVersion.current;
  const copy = await mkdtemp(join(tmpdir(), 'leadwire-without-'));
  resources.defer(() => rm(copy, { recursive: true, force: true }));
  await cp(join(folder, 'dist'), join(copy, 'dist'), { recursive: true });
  await cp(join(folder, 'package.json'), join(copy, 'package.json'));
  for (const shared of ['node_modules', 'prisma', 'src']) await symlink(join(folder, shared), join(copy, shared));
  const chunks = (await readdir(join(copy, 'dist/chunks'))).filter((file) => file.endsWith('.js'));
  const [text, replacement] = edit;
  const edited: string[] = [];
  for (const path of ['package.json', ...chunks.map((file) => join('dist/chunks', file))]) {
    const content = await readFile(join(copy, path), 'utf8');
    const parts = content.split(text);
    if (parts.length === 1) continue;
    // "start" and "bench" may share a text of package.json.
    if (path !== 'package.json' && parts.length > 2)
      throw new Error(`${path} has the text of "${name}" more than once.`);
    await writeFile(join(copy, path), parts.join(replacement));
    edited.push(path);
  }
  if (edited.length !== 1) throw new Error(`The text of "${name}" occurs in ${edited.length} files of the build.`);
  return new ProductVersion(copy);
}

/** @returns the number of lines of a mechanism's files */
export async function countLines({ files }: Mechanism): Promise<number> {
  const contents = files.map((file) => readFile(join(ProductVersion.current.folder, 'src', file), 'utf8'));
  return (await Promise.all(contents)).reduce((sum, content) => sum + content.split('\n').length - 1, 0);
}
