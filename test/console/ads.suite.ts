// Ads in a browser: the card of a message, the ad of a lead, and the lists of leads that an ad brought.

import { plainNumber } from '../features/messages/sending-harness.js';
import { sharedApp } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { type TestApp, type TestTenant } from '../support/test-app.js';
import { openConsole, operatorOf } from './browser.js';
import { hear } from '../features/leads/conversation-harness.js';

export function describeAds(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let leadId: string;

  const sourceId = '120239177205810192';

  async function write(name: string, said: object): Promise<string> {
    return (await hear(app, tenant, plainNumber(), { name, ...said })).leadId;
  }

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    const ad = { sourceId, sourceUrl: 'https://fb.example/5z9Rw', headline: 'Turmas abertas', body: 'Fale conosco' };
    leadId = await write('Ana of the ad', { text: 'Vi o anúncio', referral: ad });
    await write('Bia of the ad', {
      referral: { ...ad, sourceUrl: 'https://fb.example@elsewhere.example/', headline: 'Só hoje' },
    });
    await write('Caio by himself', { text: 'Oi' });
  });

  slow('a message shows the ad with its host, and the lead what brought it', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`);
    const { page } = opened;
    const card = page.getByRole('complementary', { name: 'Came through an ad' });
    await card.getByText('Turmas abertas').waitFor();
    const link = card.getByRole('link', { name: 'Open at fb.example in a new window' });
    expect(await link.getAttribute('href')).toBe('https://fb.example/5z9Rw');
    expect(await link.getAttribute('rel')).toContain('noopener');
    await page.getByRole('heading', { name: 'Ana of the ad' }).getByRole('link').click();
    await page.getByRole('region', { name: 'Story' }).getByText('Fale conosco').waitFor();
    expect(await page.getByText('Ad', { exact: true }).count()).toBe(1);
    expect(await page.getByRole('textbox', { name: 'Source', exact: true }).inputValue()).toBe('ad');
    await page.getByRole('link', { name: 'Turmas abertas' }).click();
    const rows = page.getByRole('table', { name: 'Leads' }).getByRole('link');
    await page.getByText('2 leads').waitFor();
    await rows.filter({ hasText: 'Ana of the ad' }).waitFor();
    await page.getByRole('cell', { name: 'Ad · Turmas abertas' }).waitFor();
    expect(await rows.filter({ hasText: 'Caio' }).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  test('where no lead stands beside, the head of the conversation says what brought it', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`);
    const { page } = opened;
    const title = page.getByRole('heading', { name: 'Ana of the ad' });
    const head = page.locator('header', { has: title }).getByText('Turmas abertas');
    await page.getByRole('complementary', { name: 'Lead' }).getByText('Turmas abertas').first().waitFor();
    expect(await head.count()).toBe(0);
    await page.setViewportSize({ width: 1100, height: 800 });
    await head.waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('the inbox by ad; the headline stands once, and a link that pretends another host is none', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox?fromAd=true');
    const { page } = opened;
    const list = page.getByRole('option');
    await list.filter({ hasText: 'Bia of the ad' }).waitFor();
    expect(await list.filter({ hasText: 'Caio' }).count()).toBe(0);
    await list.filter({ hasText: 'Bia of the ad' }).click();
    const card = page.getByRole('complementary', { name: 'Came through an ad' });
    await card.getByText('Só hoje').waitFor();
    expect(await page.getByRole('article').getByText('Só hoje').count()).toBe(1);
    expect(await card.getByRole('link').count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });
}
