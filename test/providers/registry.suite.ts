// The list of providers: the rest of the service tells them apart by their descriptions, and never by their names.

import { readdir, readFile } from 'node:fs/promises';
import { providers as offered } from '../../src/console/parts/providers.js';
import { providerOfCall, providers } from '../../src/providers/registry.js';

const sources = new URL('../../src/', import.meta.url);
/** The folders that know providers: the console and the simulator are clients of the service, and the demo data are theirs. */
const knowing = /^(?:providers|console|simulator|docs|dev|platform\/prisma)\//;

export function describeRegistry(): void {
  test('no source outside of the providers asks for a name', async () => {
    const names = providers.flatMap(({ name, dialect }) => [name, dialect]).filter((name) => name !== 'gateway');
    const quoted = new RegExp(`['"\`](?:${names.join('|')})['"\`]`);
    const files = (await readdir(sources, { recursive: true })).filter((file) => file.endsWith('.ts'));
    const asking: string[] = [];
    for (const file of files.filter((each) => !knowing.test(each)))
      if (quoted.test(await readFile(new URL(file, sources), 'utf8'))) asking.push(file);
    expect(asking).toEqual([]);
  });

  test('names and dialects are different for each provider', () => {
    for (const field of ['name', 'dialect'] as const)
      expect(new Set(providers.map((provider) => provider[field])).size).toBe(providers.length);
  });

  test('the console offers them all, and knows which sign their calls, keep a history and have templates', () => {
    const known = providers.map(({ name, webhooks, history, hasReplyWindow }): [string, object] => {
      // Calls that come by a way of their own are signed there.
      const signsCalls = webhooks === undefined || webhooks.signature !== undefined;
      const keepsHistory = history !== undefined;
      return [name, { signsCalls, keepsHistory, hasTemplates: hasReplyWindow === true }];
    });
    const told = Object.entries(offered).map(([name, { signsCalls, keepsHistory, hasTemplates }]) => [
      name,
      { signsCalls: signsCalls === true, keepsHistory: keepsHistory === true, hasTemplates: hasTemplates === true },
    ]);
    expect(told).toEqual(known);
  });

  const described = providers.flatMap(({ dialect, webhooks }) =>
    webhooks?.described === undefined ? [] : [{ dialect, call: webhooks.described.example.value }],
  );

  test.each(described)('the described call of $dialect is taken and read by its provider', ({ dialect, call }) => {
    const reader = providerOfCall(call, { kind: 'messages' });
    expect(reader.dialect).toBe(dialect);
    expect(reader.webhooks.read(call, { kind: 'messages' }).reports).toEqual([
      expect.objectContaining({ instance: 'sales', item: expect.objectContaining({ kind: 'message' }) }),
    ]);
  });

  test('a call that no other provider recognises is of the neutral protocol', () => {
    expect(providerOfCall({ anything: true }, { kind: 'statuses' }).dialect).toBe('neutral');
  });
}
