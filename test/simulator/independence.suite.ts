// The simulator knows the product by HTTP alone: it can be taken out and run by itself.

import { readdir, readFile } from 'node:fs/promises';

export function describeIndependence(): void {
  test('it imports nothing but its own files, Node, express and zod', async () => {
    const folder = new URL('../../src/simulator/', import.meta.url);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
    expect(files).toContain('gateway-simulator.ts');
    for (const name of files) {
      const source = await readFile(new URL(name, folder), 'utf8');
      const imported = [...source.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, specifier]) => specifier);
      for (const specifier of imported) expect(specifier).toMatch(/^(\.\/[\w.-]+\.js|node:[\w/]+|express|zod)$/);
    }
  });
}
