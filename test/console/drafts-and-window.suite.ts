// Drafts stay until they are sent. With the reply window closed, only a channel template is sent.

import type { Page } from 'playwright-core';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { MetaStage, templates } from '../features/channel-templates/meta-harness.js';
import { query } from '../support/graphql-client.js';
import { SetChannelChoicesDocument } from '../support/operations.js';
import { slow } from '../support/slow.js';
import type { TestTenant } from '../support/test-app.js';
import { openConsole, operatorOf, passHold } from './browser.js';
import { articleOf, expectDraft, fieldOf, logOf, seeStatus } from './operators-day.suite.js';

const dayMs = 86_400_000;

export function describeDraftsAndWindow(): void {
  let stage: MetaStage;
  let tenant: TestTenant;
  let lineId: string;

  beforeAll(async () => {
    stage = await MetaStage.start();
    tenant = await stage.app.createTenant();
    lineId = await stage.createLine(tenant);
    await stage.sync(tenant, lineId);
  });
  afterAll(() => stage.stop());

  const open = (path: string) => openConsole(stage.app, operatorOf(tenant), path);
  const messageOf = (page: Page) => fieldOf(page).inputValue();

  test('a draft stays over another conversation and a reload', async () => {
    const [ana, bob] = [await stage.writes(lineId, plainNumber()), await stage.writes(lineId, plainNumber())];
    await using opened = await open(`/inbox/${ana}`);
    const { page } = opened;
    await fieldOf(page).fill('Half an answer');
    await page.locator(`#conversation-${bob}`).click();
    await page.waitForURL(`**/inbox/${bob}`);
    // The address changes before the page does, so the test waits for the empty field.
    await expectDraft(page, '');
    await page.locator(`#conversation-${ana}`).click();
    await page.waitForURL(`**/inbox/${ana}`);
    await expectDraft(page, 'Half an answer');
    await fieldOf(page).fill('Half an answer, and more');
    await page.reload();
    await expectDraft(page, 'Half an answer, and more');
    expect(opened.problems).toEqual([]);
  });

  slow('the lead sees that it was read and that somebody types, where the company has chosen so', async () => {
    const own = await stage.app.createTenant();
    const input = { sendsReadReceipts: true, showsTyping: true };
    await query(stage.app, own.admin, SetChannelChoicesDocument, { id: own.id, input });
    const leadId = await stage.writes(await stage.createLine(own), plainNumber());
    const told = () =>
      stage.meta.requests
        .filter(({ body }) => body !== null)
        .map(({ body }) => body as { status?: string; typing_indicator?: object });
    await using opened = await openConsole(stage.app, operatorOf(own), `/inbox/${leadId}`);
    const { page } = opened;
    const text = fieldOf(page);
    await text.waitFor();
    await until(told, (bodies) => bodies.some(({ status }) => status === 'read'));
    expect(told().filter(({ typing_indicator: typing }) => typing !== undefined)).toEqual([]);
    await text.pressSequentially('Oi, tudo bem?');
    await until(told, (bodies) => bodies.some(({ typing_indicator: typing }) => typing !== undefined));
    expect(opened.problems).toEqual([]);
  });

  test('with the window closed only a channel template is sent', async () => {
    const leadId = await stage.writes(lineId, plainNumber(), 2 * dayMs);
    await using opened = await openConsole(stage.app, operatorOf(tenant), `/inbox/${leadId}`, { clock: true });
    const { page } = opened;
    await page.getByText('The 24-hour window is closed.').first().waitFor();
    await fieldOf(page).fill('Oi');
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    await page.keyboard.press('Enter');
    expect(await logOf(page).getByRole('article').count()).toBe(1);
    await page.getByRole('button', { name: 'Insert template' }).click();
    const dialog = page.getByRole('dialog', { name: 'Insert template' });
    await dialog.getByRole('button', { name: templates.plain.name }).click();
    const send = dialog.getByRole('button', { name: 'Send template' });
    expect(await send.isDisabled()).toBe(true);
    for (const [index, value] of ['Ana', '42'].entries()) await dialog.getByRole('textbox').nth(index).fill(value);
    await dialog.getByRole('region', { name: 'Preview' }).filter({ hasText: 'Olá Ana, seu pedido 42 saiu.' }).waitFor();
    await send.click();
    await articleOf(page, 'Olá Ana, seu pedido 42 saiu.').waitFor();
    await passHold(page);
    await seeStatus(page, 'Olá Ana, seu pedido 42 saiu.', 'Sent');
    expect(await messageOf(page)).toBe('Oi');
    expect(opened.problems).toEqual([]);
  });
}
