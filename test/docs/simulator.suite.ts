// The examples of the pages on the simulator work unchanged. Their tables are generated.

import { readFile } from 'node:fs/promises';
import { startHarness, type Harness } from '../simulator/simulator-harness.js';

/** The pages in the order in which their examples run. */
const names = ['simulator', 'simulator-dresses', 'simulator-players'];
const pages = await Promise.all(
  names.map((name) => readFile(new URL(`../../src/docs/${name}.md`, import.meta.url), 'utf8')),
);
const lines = pages.flatMap((page) => page.split('\n'));

const sampleId = '01990000-0000-7000-8000-000000000001';

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
      const control = [
        'behaviour',
        'special-numbers',
        'webhook-target',
        'messages',
        'webhooks',
        'inbound',
        'history',
        'players',
      ];
      expect([...paths]).toEqual(expect.arrayContaining(control.map((name) => `/simulator/${name}`)));
    });

    test.each(commands)('%s', async (command) => {
      const { method, path, headers, body } = parseCurl(command);
      const given = Object.entries(headers).map(([name, value]) => [
        name,
        value.replace('$GATEWAY_TOKEN', harness.token),
      ]);
      const response = await fetch(harness.simulator.url + path, {
        method,
        headers: Object.fromEntries(given) as Record<string, string>,
        ...(body === undefined ? {} : { body }),
      });
      await response.text();
      expect([200, 201, 204]).toContain(response.status);
    });
  });

  /** Reads the one form of curl that the page uses. */
  function parseCurl(command: string) {
    const [, path] = /"\$GATEWAY([^"]+)"/.exec(command) ?? [];
    if (!path) throw new Error(`no path in: ${command}`);
    const headers = Object.fromEntries(
      [...command.matchAll(/-H ["']([\w-]+): ([^"']+)["']/g)].map(([, name, value]) => [String(name), String(value)]),
    );
    // The shell inserts the address of Leadwire, an id or a key.
    const [, written] = / -d '(.*)'$/.exec(command) ?? [];
    const body = written?.replaceAll(`'$U'`, 'http://127.0.0.1:4000').replaceAll(/'\$\w+'/g, sampleId);
    const [, method = body === undefined ? 'GET' : 'POST'] = / -X (\w+)/.exec(command) ?? [];
    return { method, path, headers: headers as Record<string, string>, body };
  }
}
