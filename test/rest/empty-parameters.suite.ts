// Optional query parameters that are empty count as left out, on every route that has some. `dryRun` is the exception: where it is empty,
// its writer may not expect that something is changed.

import { sharedApp } from '../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';

const csv = 'chat,name\n4915100000001,Ana\n';

export function describeEmptyParameters(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    await app.post('/public/leads', { chat: '5511988887777', name: 'Ana' }, withKey(tenant));
  });

  const send = (path: string, type: string, body: string) =>
    fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { ...withToken(tenant.operator), 'content-type': type },
      body,
    });

  const get = (path: string) => app.get(path, withToken(tenant.operator));

  /** Ids, times and the signature of an address differ from answer to answer. */
  const shape = (text: string) =>
    text.replaceAll(/"(?:id|\w*At|url)":"[^"]*"/g, '').replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '');

  const routes: [path: string, names: string[], ask: (path: string) => Promise<Response>][] = [
    ['/chat/instances', ['accountId'], get],
    ['/leads/export.csv', ['filter', 'orderBy'], get],
    ['/messages/export.csv', ['filter'], get],
    ['/leads/import?dryRun=true', ['fileName', 'country', 'update', 'columns'], (path) => send(path, 'text/csv', csv)],
    ['/leads/import/columns', ['country', 'columns'], (path) => send(path, 'text/csv', csv)],
    ['/media', ['fileName'], (path) => send(path, 'text/plain', 'Our offer')],
  ];

  test.each(routes.flatMap(([path, names, ask]) => names.map((name) => [path, name, ask] as const)))(
    '%s: %s',
    async (path, name, ask) => {
      const without = await ask(path);
      const expected = { status: without.status, text: shape(await without.text()) };
      expect(without.ok).toBe(true);
      for (const written of [name, `${name}=`, `${name}=%20`]) {
        const answer = await ask(`${path}${path.includes('?') ? '&' : '?'}${written}`);
        expect({ status: answer.status, text: shape(await answer.text()) }).toEqual(expected);
      }
    },
  );

  test.each(['dryRun', 'dryRun=', 'dryRun=%20'])('%s is refused, and nothing is stored', async (written) => {
    const other = await app.createTenant();
    const lead = await app.post(`/public/leads?${written}`, { chat: '5511988887777' }, withKey(other));
    await expectProblem(lead, 'VALIDATION_FAILED', ['dryRun']);
    const headers = { ...withToken(other.operator), 'content-type': 'text/csv' };
    const file = await fetch(`${app.url}/leads/import?${written}`, { method: 'POST', headers, body: csv });
    await expectProblem(file, 'VALIDATION_FAILED', ['dryRun']);
    expect(await app.sql('SELECT id FROM leads WHERE tenant_id = $1', [other.id])).toEqual([]);
  });
}
