// The administrators' pages are accessible: axe finds no violation in either theme, and nothing is wider than a phone.

import { query } from '../support/graphql-client.js';
import { CreateChatInstanceDocument, CreateLeadSourceDocument } from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { adminOf, openConsole } from './browser.js';

const phone = { width: 360, height: 740 };
const pages = [
  ['/instances', 'heading', 'Instances'],
  ['/settings', 'textbox', 'Display name'],
  ['/settings/company', 'textbox', 'Name of the company'],
  ['/settings/sending', 'combobox', 'Default country'],
  ['/settings/consent', 'textbox', 'Words that opt out'],
  ['/settings/assistants', 'combobox', 'Assistants of users'],
  ['/settings/users', 'table', 'Users'],
  ['/settings/keys', 'button', 'Show key'],
  ['/settings/webhooks', 'button', 'Add endpoint'],
  ['/settings/sources', 'button', 'More for a-form'],
  ['/settings/audit', 'table', 'Audit log'],
  ['/calls', 'table', 'Calls'],
] as const;

export function describeAccessibleAdministration(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    const instanceName = 'a-number-with-a-name-that-is-longer-than-the-screen-of-a-phone-is-wide';
    const input = { accountId: tenant.admin.accountId, instanceName };
    await query(app, tenant.admin, CreateChatInstanceDocument, { input });
    await app.post('/webhooks/leads', { name: 'nobody' }, withKey(tenant));
    const name = 'a-form-with-a-name-that-is-longer-than-the-screen-of-a-phone-is-wide';
    const source = { name, appSecret: '0123456789abcdef0123456789abcdef', accessToken: 'token' };
    await query(app, tenant.admin, CreateLeadSourceDocument, { input: { kind: 'META', ...source } });
  });

  test.each(pages)('in light and dark: %s', async (path, role, name) => {
    await using opened = await openConsole(app, adminOf(tenant), path, { viewport: phone, reducedMotion: 'reduce' });
    const { page } = opened;
    await page.getByRole(role, { name }).first().waitFor();
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
    expect(opened.problems).toEqual([]);
  });
}
