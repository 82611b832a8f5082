// The simulator's README says what the code does: every knob, every special case, and examples that work as they stand.

import { readFile } from 'node:fs/promises';
import { behaviourSchema } from '../../src/simulator/behaviour.schema.js';
import { SPECIAL_CASES } from '../../src/simulator/special-numbers.js';
import { knobRows, specialCaseRows } from './knob-table.js';
import { startHarness } from './simulator-harness.js';
import type { Harness } from './simulator-harness.js';

const readme = await readFile(new URL('../../src/simulator/README.md', import.meta.url), 'utf8');
const lines = readme.split('\n');

test('every knob stands in the README with its meaning, bounds and default', () => {
  expect(knobRows()).toHaveLength(Object.keys(behaviourSchema.shape).length);
  expect(lines).toEqual(expect.arrayContaining(knobRows()));
});

test('every special number stands in the README', () => {
  expect(specialCaseRows()).toHaveLength(SPECIAL_CASES.length);
  expect(lines).toEqual(expect.arrayContaining(specialCaseRows()));
});

test('the README names no knob and no special number that the code does not have', () => {
  const rows = lines.filter((line) => line.startsWith('| `'));
  expect(rows.toSorted()).toEqual([...knobRows(), ...specialCaseRows()].toSorted());
});

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

/** Reads the one form of curl that the README uses. */
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
