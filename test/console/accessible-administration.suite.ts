// The pages of administrators for everybody: no violation that axe finds, in both themes, and nothing wider than a phone.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { query } from '../support/graphql-client.js';
import { CreateChatInstanceDocument, CreateLeadSourceDocument } from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import { withKey } from '../support/test-app.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { adminOf, openConsole, settled } from './browser.js';

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

  // Each page is loaded once; the theme changes in place.
  test.each(pages)('%s, light and dark', async (path, role, name) => {
    const options = { viewport: phone, colorScheme: 'light', reducedMotion: 'reduce' } as const;
    await using opened = await openConsole(app, adminOf(tenant), path, options);
    const { page } = opened;
    await page.getByRole(role, { name }).first().waitFor();
    await settled(page);
    await page.evaluate(axe);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
      const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
      expect({ colorScheme, found }).toEqual({ colorScheme, found: [] });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
    }
    expect(opened.problems).toEqual([]);
  });
}
