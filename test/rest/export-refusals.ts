// The refusals that GET /leads/export.csv and GET /messages/export.csv share: callers who are not signed in, and wrong parameters.

import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';

interface Caller {
  app: TestApp;
  tenant: TestTenant;
}

/** @param wrong the name of each wrong parameter, the query string, and the field that the answer names */
export function describeExportRefusals(
  path: string,
  caller: () => Caller,
  wrong: [name: string, search: string, field: string][],
): void {
  test.each<[string, (tenant: TestTenant) => Record<string, string>]>([
    ['no credentials', () => ({})],
    ['an API key', withKey],
  ])('401: %s', async (_case, headersOf) => {
    const { app, tenant } = caller();
    await expectProblem(await app.get(path, headersOf(tenant)), 'UNAUTHENTICATED');
  });

  test.each(wrong)('422: %s', async (_case, search, field) => {
    const { app, tenant } = caller();
    await expectProblem(await app.get(`${path}?${search}`, withToken(tenant.operator)), 'VALIDATION_FAILED', [field]);
  });
}
