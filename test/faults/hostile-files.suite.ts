// Malicious files, which attack the process that reads them or the people who open its exports.

import { withTenant } from '../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import { expectProblem } from '../rest/problem.js';

export function describeHostileFiles(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api' });

  const upload = (file: string) =>
    app.post('/leads/import', file, { ...withToken(tenant.operator), 'content-type': 'text/csv' });

  // Comparing the columns of such a header with each other took most of a second.
  test('a header of thousands of columns is counted, and refused before any two are compared', async () => {
    const columns = Array.from({ length: 12_000 }, (_, index) => index.toString(36)).join(',');
    const problem = await expectProblem(await upload(`${columns}\n`), 'VALIDATION_FAILED', ['header']);
    expect(problem.detail).toBe('header: has more than 1000 columns');
  });

  // Otherwise each wrong row would repeat the name.
  test('a column whose name is no name of a field is refused once', async () => {
    const file = `chat,${'n'.repeat(60_000)}\n${'4915100000001,x\n'.repeat(100)}`;
    const problem = await expectProblem(await upload(file), 'VALIDATION_FAILED', ['header']);
    expect(problem.detail.length).toBeLessThan(500);
  });

  test.each([';', '\t', '\n', '\r', '\r\n'])(
    'what a stranger writes behind %j is no formula in an export',
    async (end) => {
      const own = await app.createTenant();
      const text = `oi${end}=HYPERLINK("https://evil.example")${end}"@x`;
      await app.post('/public/leads', { chat: '4915100000001', name: text, source: text }, withKey(own));
      await app.post('/webhooks/chat/gateway/inbound', { messageId: 'm', from: '4915100000001', text }, withKey(own));
      for (const path of ['/leads/export.csv', '/messages/export.csv']) {
        const file = await (await app.get(path, withToken(own.operator))).text();
        expect(file).toContain('HYPERLINK');
        // A spreadsheet of another region splits the file at these characters, even within quotes.
        expect(file.split(/[;\t\r\n]/).filter((cell) => /^[\s"]*[-=+@]/.test(cell))).toEqual([]);
      }
    },
  );
}
