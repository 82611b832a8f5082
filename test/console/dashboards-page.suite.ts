// Dashboards in a browser: from a mark to its rows, ranges in the address, editing by keyboard, and changes of others.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { newRecordId } from '../../src/platform/database/record-id.js';
import { query } from '../support/graphql-client.js';
import {
  CreateDashboardDocument,
  DashboardDocument,
  UpdateDashboardDocument,
  type WidgetInput,
} from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsIn } from './axe.js';
import { openConsole } from './browser.js';

const widgets: WidgetInput[] = [
  { type: 'FIGURE', title: 'New', metric: 'LEADS_CREATED' },
  { type: 'FIGURE', title: 'Waiting', metric: 'CONVERSATIONS_WAITING' },
  { type: 'SERIES', title: 'By hour', metric: 'LEADS_CREATED', bucket: 'HOUR' },
  { type: 'BREAKDOWN', title: 'By source', metric: 'LEADS_CREATED', dimension: 'SOURCE', limit: 2 },
  { type: 'TABLE', title: 'Sources', metrics: ['LEADS_CREATED', 'SPEED_TO_LEAD'], dimension: 'SOURCE' },
  { type: 'BREAKDOWN', title: 'By week', metric: 'LEADS_CREATED', dimension: 'HOUR_OF_WEEK' },
];

const focused = (page: Page, name: string) =>
  page
    .locator(':focus')
    .and(page.getByRole('button', { name, exact: true }))
    .waitFor();

export function describeDashboardsPage(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let dashboard: { id: string; name: string };

  withTenantEach((made) => ({ app, tenant } = made));
  beforeEach(async () => {
    for (const [index, source] of ['ads', 'ads', 'ads', 'fair', 'fair', 'site', 'web'].entries())
      await createLead(`Lead ${index}`, source);
    const input = { name: `Board ${randomUUID()}`, range: { preset: 'TODAY' as const }, widgets };
    ({ createDashboard: dashboard } = await query(app, tenant.operator, CreateDashboardDocument, { input }));
  });

  let last = 0;
  async function createLead(name: string, source: string): Promise<void> {
    last += 1;
    const chat = `+5511988${String(100_000 + last)}`;
    expect((await app.post('/public/leads', { chat, name, source }, withKey(tenant))).status).toBeLessThan(300);
  }

  const operator = () => ({ ...tenant.operator, role: 'OPERATOR' as const, tenantId: tenant.id });
  const open = (search = '', options = {}) =>
    openConsole(app, operator(), `/dashboards/${dashboard.id}${search}`, options);
  const stored = async () =>
    (await query(app, tenant.operator, DashboardDocument, { id: dashboard.id })).dashboard?.widgets ?? [];

  slow('a mark opens its rows by keyboard, and has the focus again afterwards', async () => {
    await using opened = await open();
    const { page } = opened;
    const chart = page.getByRole('figure', { name: /^By source: 3 values\. Total 7\. Highest: 3, ads\./ });
    const first = chart.getByRole('button', { name: 'ads: 3' });
    await first.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'By source: fair' });
    await dialog.getByRole('link', { name: 'Lead 4' }).waitFor();
    expect(await dialog.getByRole('row').count()).toBe(3);
    expect(page.url()).toContain('mark=key%3Afair');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await focused(page, 'fair: 2');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const others = page.getByRole('dialog', { name: 'By source: All others' });
    await others.getByRole('link', { name: 'Lead 6' }).click();
    await page.waitForURL('**/leads/*');
    expect(opened.problems).toEqual([]);
  });

  test('the hours of a week are a map: keys go by an hour and by a day, and open the rows', async () => {
    await using opened = await open();
    const { page } = opened;
    const hours = page.getByRole('figure', { name: /^By week/ }).getByRole('button');
    await hours.first().waitFor();
    await page.getByText(/^Peak: .*\(.+\)$/).waitFor();
    const names = await hours.evaluateAll((all) =>
      all.map((one) => (one as unknown as { ariaLabel: string }).ariaLabel),
    );
    expect(names).toHaveLength(168);
    expect([names[0], names[47], names[167]]).toEqual([
      expect.stringMatching(/^Monday, 12:00\sAM: /),
      expect.stringMatching(/^Tuesday, 11:00\sPM: /),
      expect.stringMatching(/^Sunday, 11:00\sPM: /),
    ]);
    const hour = names.findIndex((name) => !name.endsWith(': 0'));
    const [there, back] = hour < 144 ? (['ArrowDown', 'ArrowUp'] as const) : (['ArrowUp', 'ArrowDown'] as const);
    await hours.nth(hour).focus();
    await page.keyboard.press(there);
    await focused(page, names[hour < 144 ? hour + 24 : hour - 24] ?? '');
    await page.keyboard.press(back);
    await focused(page, names[hour] ?? '');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: /^By week: / })
      .getByRole('link', { name: /^Lead \d/ })
      .first()
      .waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('rows of what was not sent say what to do, and why', async () => {
    await app.sql(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, status, failed_at, error_code, error_message)
       SELECT $1, $2, id, $3, 'OUTBOUND', 'text', 'Olá', 'FAILED', now(), '131026', 'The number cannot be reached'
       FROM leads WHERE tenant_id = $1 AND name = 'Lead 1'`,
      [tenant.id, newRecordId(), tenant.instance.id],
    );
    const failed: WidgetInput = { type: 'FIGURE', title: 'Not sent', metric: 'FAILED_RATE' };
    const input = { name: `Board ${randomUUID()}`, range: { preset: 'TODAY' as const }, widgets: [failed] };
    const { createDashboard } = await query(app, tenant.operator, CreateDashboardDocument, { input });
    await using opened = await openConsole(app, operator(), `/dashboards/${createDashboard.id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Value: 100%' }).click();
    const row = page.getByRole('dialog').getByRole('row').filter({ hasText: 'Lead 1' });
    await row.getByText('Ask for a number that has WhatsApp · The number cannot be reached').waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('figures, series and cells open their rows by mouse, and by their address', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByRole('button', { name: 'Value: 7' }).click();
    await page.getByRole('dialog', { name: 'New: Value' }).getByRole('link', { name: 'Lead 0' }).waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('figure', { name: /^By hour/ })
      .getByRole('button', { name: /: 7$/ })
      .click();
    await page.getByRole('dialog').getByRole('link', { name: 'Lead 6' }).waitFor();
    await page.reload();
    await page.getByRole('dialog').getByRole('link', { name: 'Lead 6' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'ads, Time to the first message: –' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sources: ads, Time to the first message' });
    await dialog.getByText('No record stands behind this value').waitFor();
    await dialog.getByRole('combobox', { name: 'Which records' }).selectOption('TOTAL');
    await dialog.getByRole('link', { name: 'Lead 2' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a table stands in for a chart, and CSV has the same figures', async () => {
    await using opened = await open();
    const { page } = opened;
    const card = page.getByRole('article', { name: 'By source' });
    await card.getByRole('button', { name: 'Show as table' }).click();
    await card.getByRole('table', { name: 'By source' }).getByRole('button', { name: 'ads: 3' }).waitFor();
    expect(await card.getByRole('figure').count()).toBe(0);
    const download = page.waitForEvent('download');
    await card.getByRole('button', { name: 'Export By source as CSV' }).click();
    const saved = await readFile(await (await download).path(), 'utf8');
    expect(saved.split('\r\n').slice(1, 4)).toEqual([
      'ads,,,New leads,3,3,3',
      'fair,,,New leads,2,2,2',
      'All others,,,New leads,2,2,2',
    ]);
    await card.getByRole('button', { name: 'Show as chart' }).click();
    await card.getByRole('figure').waitFor();
    const waiting = page.getByRole('article', { name: 'Waiting' });
    await waiting.getByText('Now', { exact: true }).waitFor();
  });

  slow('range and zone stand in the address and change nothing that is stored', async () => {
    await using opened = await open();
    const { page } = opened;
    // The stored range is none of the usual ones.
    const usual = page.getByRole('radiogroup', { name: 'Range' });
    expect(await usual.getByRole('radio', { name: 'Other…' }).isChecked()).toBe(true);
    await usual.getByText('7 days').click();
    await page.waitForURL(/range=7-days/);
    await page.getByRole('combobox', { name: 'Range' }).waitFor({ state: 'detached' });
    await page.getByText(/, against the 7 days before$/).waitFor();
    await usual.getByText('Other…').click();
    await page.getByRole('combobox', { name: 'Range' }).selectOption('yesterday');
    await page.getByRole('article', { name: 'By hour' }).getByText('Nothing in this range.').waitFor();
    expect(page.url()).toContain('range=yesterday');
    await page.getByRole('combobox', { name: 'Range' }).selectOption('90-days');
    // A series by hour over 90 days is too long; the other widgets are shown all the same.
    await page.getByText('The range is too long for buckets of this length.').waitFor();
    await page.getByRole('button', { name: 'Value: 7' }).waitFor();
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo');
    await page.waitForURL(/zone=Asia/);
    await page.getByRole('combobox', { name: 'Range' }).selectOption('custom');
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('2020-01-01');
    await page.getByText('Choose both days; the second may not be before the first.').waitFor();
    expect((await stored()).map(({ title }) => title)).toEqual(widgets.map(({ title }) => title));
    const { dashboard: after } = await query(app, tenant.operator, DashboardDocument, { id: dashboard.id });
    expect(after).toMatchObject({ timeZone: 'UTC', range: { preset: 'TODAY' } });
  });

  slow('widgets are added, refused at their field, moved by keyboard, removed and brought back', async () => {
    await using opened = await open();
    const { page } = opened;
    const titles = async () => (await stored()).map(({ title }) => title);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Add widget' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must not be empty').waitFor();
    expect(await page.getByRole('textbox', { name: 'Title' }).getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('textbox', { name: 'Title' }).fill('Queue');
    await page.getByRole('combobox', { name: 'Metric' }).selectOption('QUEUE_DEPTH');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('article', { name: 'Queue' }).waitFor();
    await page.getByRole('button', { name: 'Move Queue earlier' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('Queue is now 5 of 7').waitFor();
    await focused(page, 'Move Queue earlier');
    await page
      .getByRole('article')
      .nth(4)
      .and(page.getByRole('article', { name: 'Queue' }))
      .waitFor();
    await page.getByRole('button', { name: 'Remove New', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await titles()).toEqual(['Waiting', 'By hour', 'By source', 'Queue', 'Sources', 'By week']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('article', { name: 'New', exact: true }).waitFor();
    expect(await titles()).toEqual(['New', 'Waiting', 'By hour', 'By source', 'Queue', 'Sources', 'By week']);
  });

  slow('a widget that is being saved stays when another one is moved or removed meanwhile', async () => {
    await using opened = await open();
    const { page } = opened;
    const answer = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName === 'ChangeDashboard') await answer.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Add widget' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Queue');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Move New later' }).click();
    await page.getByRole('button', { name: 'Remove By week', exact: true }).click();
    await page.getByRole('article', { name: 'By week' }).waitFor({ state: 'detached' });
    answer.resolve();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.getByRole('article', { name: 'Queue' }).waitFor();
    const titles = (await stored()).map(({ title }) => title);
    expect(titles).toEqual(['Waiting', 'New', 'By hour', 'By source', 'Sources', 'Queue']);
  });

  slow('a change over that of a colleague is refused, and goes through once it was seen', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Edit New', exact: true }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Newest');
    const change = { id: dashboard.id, input: { timeZone: 'Europe/Berlin' } };
    await query(app, tenant.admin, UpdateDashboardDocument, change);
    const again = page.waitForResponse(
      (response) => response.request().postData()?.includes('ShownDashboard') === true,
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else has changed this dashboard.').waitFor();
    await (await again).finished();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('article', { name: 'Newest' }).waitFor();
    const { dashboard: after } = await query(app, tenant.operator, DashboardDocument, { id: dashboard.id });
    expect(after).toMatchObject({ timeZone: 'Europe/Berlin', widgets: [{ title: 'Newest' }, {}, {}, {}, {}, {}] });
  });

  slow('a new lead is counted by itself, and the focus stays where it was', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor();
    await page.getByRole('button', { name: 'fair: 2' }).focus();
    await createLead('Late', 'ads');
    await page.getByRole('button', { name: 'Value: 8' }).waitFor();
    await focused(page, 'fair: 2');
  });

  slow(
    'a dashboard is made with a first widget, and deleted; a name that is taken is refused at its field',
    async () => {
      await using opened = await openConsole(app, operator(), '/dashboards');
      const { page } = opened;
      await page.getByRole('table', { name: 'Dashboards' }).getByRole('link', { name: dashboard.name }).waitFor();
      await page.getByRole('button', { name: 'New dashboard' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill(dashboard.name);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('alert').getByText('is taken').waitFor();
      await page.getByRole('textbox', { name: 'Name' }).fill('Quite new');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: 'Quite new' }).waitFor();
      await page.getByRole('article', { name: 'Messages received each day' }).waitFor();
      // The next visit opens it again, also by its address.
      await page.goto(`${app.url}/dashboards`);
      await page.getByRole('heading', { name: 'Quite new' }).waitFor();
      await page.getByRole('button', { name: 'Quite new', exact: true }).click();
      await page.getByRole('menuitem', { name: dashboard.name }).click();
      await page.getByRole('heading', { name: dashboard.name }).waitFor();
      await page.getByRole('button', { name: dashboard.name, exact: true }).click();
      await page.getByRole('menuitem', { name: 'Quite new' }).click();
      await page.getByRole('heading', { name: 'Quite new' }).waitFor();
      await page.getByRole('button', { name: 'Quite new', exact: true }).press('ArrowDown');
      await page.getByRole('menuitem', { name: 'All dashboards' }).click();
      await page.getByRole('button', { name: 'Delete Quite new' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('The dashboard was deleted.').waitFor();
      await page.getByRole('link', { name: 'Quite new' }).waitFor({ state: 'detached' });
      await page.goto(`${app.url}/dashboards`);
      await page.getByRole('table', { name: 'Dashboards' }).waitFor();
    },
  );

  slow.each([
    ['light', 'en-US', 'Show as table'],
    ['dark', 'pt-BR', 'Mostrar como tabela'],
    ['light', 'es', 'Mostrar como tabla'],
  ] as const)(
    'in %s and %s axe finds nothing, and nothing is wider than a phone',
    async (colorScheme, locale, name) => {
      const viewport = { width: 360, height: 740 };
      await using opened = await open('', { viewport, colorScheme, locale, reducedMotion: 'reduce' });
      const { page } = opened;
      const check = async () => {
        expect(await violationsIn(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      };
      await page.getByRole('button', { name: 'fair: 2' }).waitFor();
      await check();
      await page.getByRole('article', { name: 'By source' }).getByRole('button', { name }).click();
      await page.getByRole('button', { name: 'fair: 2' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Lead 4' }).waitFor();
      await check();
      expect(opened.problems).toEqual([]);
    },
  );
}
