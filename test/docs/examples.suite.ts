// The README's tour works as people paste it, every shell block of the documents can be pasted, and the list of endpoints is whole.
// guide-examples.long.ts runs the blocks of all guides.

import { blocksOf, ExampleServer, expectNoError, pages, textOf, tour, whenInstalled } from './example-server.js';
import { hasInteractiveShell, InteractiveShell } from './interactive-shell.js';

/** Skipped where there is no bash, or no `script` of util-linux, which gives it a terminal. */
const whenInteractive = hasInteractiveShell ? test : test.skip;

/** Complaints of an interactive bash about a line that it cannot take. */
const shellProblem = /event not found|syntax error|unexpected EOF|command not found|unbound variable/;

export function describeExamples(): void {
  whenInteractive('every shell block can be pasted into an interactive bash', async () => {
    const shell = InteractiveShell.start();
    try {
      // Within a function, bash reads a block and expands it as at the prompt, but does not run it.
      expect(await shell.paste('read_only() {\necho "(ID!) there"\n:\n}')).toMatch(shellProblem);
      for (const { path } of pages)
        for (const { code } of blocksOf(path, 'sh')) {
          const shown = await shell.paste(`read_only() {\n${code}\n:\n}`);
          expect({ path, code, problem: shellProblem.exec(shown)?.[0] }).toEqual({ path, code, problem: undefined });
        }
    } finally {
      await shell.close();
    }
  });

  whenInstalled('against a development server', () => {
    let examples: ExampleServer;

    beforeAll(async () => {
      examples = await ExampleServer.start();
    });
    afterAll(() => examples.stop());

    whenInteractive('the tour, pasted into an interactive bash', async () => {
      const shell = InteractiveShell.start();
      try {
        const shown: string[] = [];
        for (const code of tour) shown.push(await shell.paste(examples.adapted(code)));
        for (const output of shown) {
          expect(output).not.toMatch(shellProblem);
          expectNoError(output);
        }
        expect(shown[2]?.match(/"created":\w+/g)).toHaveLength(2);
        expect(shown[5]).toContain('"status":"QUEUED"');
        expect(shown[5]).toContain('"toStatus":"READ"');
      } finally {
        await shell.close();
      }
    });

    test('integrate.md lists every endpoint of /openapi.json', async () => {
      const { paths } = (await (await fetch(`${examples.server.url}/openapi.json`)).json()) as {
        paths: Record<string, object>;
      };
      const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
      );
      const rows = textOf('src/docs/integrate.md')
        .split('\n')
        .filter((line) => line.startsWith('| `'));
      const isListed = (endpoint: string) => {
        const [method = '', path = ''] = endpoint.split(' ');
        return rows.some((row) => row.includes(`\`${method}`) && new RegExp(`${path}[\`?]`).test(row));
      };
      expect(endpoints.length).toBeGreaterThan(10);
      expect(endpoints.filter((endpoint) => !isListed(endpoint))).toEqual([]);
    });
  });
}
