// An export of src is unused if its name stands nowhere else, in its own file or in another.

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const declaration =
  /^export (?:default )?(?:abstract )?(?:async )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm;
/** Files that Prisma generates, or that are generated from GraphQL operations. */
const isGenerated = (path: string) =>
  path.startsWith(join('src', 'platform', 'prisma')) || path.endsWith('operations.ts');

async function readSources(folder: string): Promise<[path: string, text: string][]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name));
  const own = paths.filter((path) => !isGenerated(path) && !path.includes('node_modules'));
  return Promise.all(own.map(async (path): Promise<[string, string]> => [path, await readFile(path, 'utf8')]));
}

export function describeUnusedExports(): void {
  test('each export of src is used', async () => {
    const sources = [...(await readSources('src')), ...(await readSources('test'))];
    const uses = new Map<string, number>();
    for (const [, text] of sources)
      for (const [word] of text.matchAll(/\w+/g)) uses.set(word, (uses.get(word) ?? 0) + 1);
    const unused: string[] = [];
    let count = 0;
    for (const [path, text] of sources.filter(([each]) => each.startsWith('src')))
      for (const [, name = ''] of text.matchAll(declaration)) {
        count += 1;
        if (uses.get(name) === 1) unused.push(`${path}: ${name}`);
      }
    expect(count).toBeGreaterThan(500);
    expect(unused).toEqual([]);
  });
}
