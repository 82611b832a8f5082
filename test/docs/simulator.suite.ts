// The examples of src/docs/simulator.md work as they stand. Its tables are generated.

import { readFile } from 'node:fs/promises';
import { startHarness } from '../simulator/simulator-harness.js';
import type { Harness } from '../simulator/simulator-harness.js';

const page = await readFile(new URL('../../src/docs/simulator.md', import.meta.url), 'utf8');
const lines = page.split('\n');

export function describeSimulator(): void {
  describe('the curl lines', () => {
    const commands = lines.filter((line) => line.startsWith('curl '));
    let harness: Harness;
    beforeAll(async () => {
      harness = await startHarness();
    });
    afterAll(() => harness.close());

    test('cover the whole control interface', () => {
      const paths = new Set(commands.map((command) => parseCurl(command).path.split('?')[0]));
      const control = ['behaviour', 'special-numbers', 'webhook-target', 'messages', 'webhooks', 'inbound'];
      expect([...paths]).toEqual(expect.arrayContaining(control.map((name) => `/simulator/${name}`)));
    });

    test.each(commands)('%s', async (command) => {
      const { method, path, headers, body } = parseCurl(command);
      const token = headers.authorization?.replace('$TOKEN', harness.token);
      const response = await fetch(harness.simulator.url + path, {
        method,
        headers: { ...headers, authorization: token ?? '' },
        ...(body === undefined ? {} : { body }),
      });
      await response.text();
      expect([200, 204]).toContain(response.status);
    });
  });

  /** Reads the one form of curl that the page uses. */
  function parseCurl(command: string) {
    const [, path] = /"\$GATEWAY([^"]+)"/.exec(command) ?? [];
    if (!path) throw new Error(`no path in: ${command}`);
    const headers = Object.fromEntries(
      [...command.matchAll(/-H ["']([\w-]+): ([^"']+)["']/g)].map(([, name, value]) => [String(name), String(value)]),
    );
    const [, body] = / -d '([^']*)'/.exec(command) ?? [];
    const [, method = body === undefined ? 'GET' : 'POST'] = / -X (\w+)/.exec(command) ?? [];
    return { method, path, headers: headers as Record<string, string>, body };
  }
}
