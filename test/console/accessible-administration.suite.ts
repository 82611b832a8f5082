// The administrators' pages are accessible: axe finds no violation in either theme, and nothing is wider than a phone.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { query } from '../support/graphql-client.js';
import { CreateChatInstanceDocument, CreateLeadSourceDocument } from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { openConsole } from './browser.js';

const phone = { width: 360, height: 740 };
const pages = [
  ['/instances', 'heading', 'Instances'],
  ['/settings', 'textbox', 'Name of the company'],
  ['/settings/users', 'table', 'Users'],
  ['/settings/keys', 'button', 'Show key'],
  ['/settings/webhooks', 'button', 'Add endpoint'],
  ['/settings/sources', 'button', 'More for a-form'],
  ['/settings/audit', 'table', 'Audit log'],
  ['/calls', 'table', 'Calls'],
] as const;

interface Axe {
  run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

export function describeAccessibleAdministration(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let axe: string;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const instanceName = 'a-number-with-a-name-that-is-longer-than-the-screen-of-a-phone-is-wide';
    const input = { accountId: tenant.admin.accountId, instanceName };
    await query(app, tenant.admin, CreateChatInstanceDocument, { input });
    await app.post('/webhooks/leads', { name: 'nobody' }, withKey(tenant));
    const name = 'a-form-with-a-name-that-is-longer-than-the-screen-of-a-phone-is-wide';
    const source = { name, appSecret: '0123456789abcdef0123456789abcdef', accessToken: 'token' };
    await query(app, tenant.admin, CreateLeadSourceDocument, { input: { kind: 'META', ...source } });
  });

  const themes = ['light', 'dark'] as const;
  test.each(themes.flatMap((theme) => pages.map((page) => [theme, ...page] as const)))(
    'in %s: %s',
    async (colorScheme, path, role, name) => {
      const admin = { ...tenant.admin, role: 'ADMIN' as const, tenantId: tenant.id };
      await using opened = await openConsole(app, admin, path, { viewport: phone, colorScheme });
      const { page } = opened;
      await page.getByRole(role, { name }).first().waitFor();
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
      expect(opened.problems).toEqual([]);
    },
  );
}
