// The GraphQL over HTTP specification, as its own audits ask for it: every MUST, SHOULD and MAY, with a Bearer token.

import { serverAudits } from 'graphql-http';
import { withTenant } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeOverHttpAudit(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made));

  const signedIn = (url: unknown, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(withToken(tenant.operator))) headers.set(name, value);
    return fetch(String(url), { ...init, headers });
  };

  const url = () => `${app.url}/graphql`;
  const named = (audits: ReturnType<typeof serverAudits>) =>
    audits.map((audit) => [audit.id, audit.name, audit] as const);

  test('there are audits', () => {
    expect(serverAudits({ url }).length).toBeGreaterThan(50);
  });

  test.each(named(serverAudits({ url, fetchFn: signedIn })))('%s: %s', async (_id, _name, audit) => {
    expect(await audit.fn()).toMatchObject({ status: 'ok' });
  });
}
