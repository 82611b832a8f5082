// An operator's day: a lead writes, is answered in every way there is, and the conversation is put away.

import type { Page } from 'playwright-core';
import { query } from '../support/graphql-client.js';
import { CreateTemplateDocument } from '../support/operations.js';
import { slow } from '../support/slow.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { plainNumber, until, withSenderEach } from '../features/messages/sending-harness.js';
import {
  adminOf,
  openConsole,
  operatorOf,
  passHold,
  settled,
  type SignedInUser,
  type WindowOptions,
} from './browser.js';

export const logOf = (page: Page) => page.getByRole('log', { name: 'Messages' });
export const articleOf = (page: Page, text: string) => logOf(page).getByRole('article').filter({ hasText: text });
export const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

/** Waits until the message with this text has this status. */
export const seeStatus = (page: Page, text: string, status: string) =>
  logOf(page)
    .getByRole('article', { name: new RegExp(`, ${status}$`) })
    .filter({ hasText: text })
    .waitFor({ timeout: 40_000 });

/** Waits until the composer has this text. */
export const expectDraft = (page: Page, text: string) =>
  until(
    () => fieldOf(page).inputValue(),
    (value) => value === text,
  );

/** The number of pixels of the log below the visible part. */
export const belowNewest = `(() => {
  const log = document.querySelector('[role=log]');
  return log?.querySelector('article') == null ? Infinity : log.scrollHeight - log.scrollTop - log.clientHeight;
})()`;

async function expectFocused(page: Page, text: string): Promise<void> {
  await expectDraft(page, text);
  await page.locator('textarea:focus').waitFor();
}

export function describeOperatorsDay(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  withSenderEach((sender) => ({ simulator, app, tenant } = sender));

  const hear = (name: string, text: string, from = plainNumber()) =>
    simulator.receiveFromLead({ instance: tenant.instance.name, from, name, text });
  const option = (page: Page, name: string) => page.getByRole('option', { name });
  const open = (user: SignedInUser, options: WindowOptions = {}) =>
    openConsole(app, user, '/inbox', { clock: true, ...options });
  /** Sends a held message once it is shown. On a busy machine it may have left before its status was read. */
  async function letLeave(page: Page, text: string): Promise<void> {
    await articleOf(page, text).waitFor();
    await passHold(page);
  }

  test('a lead writes and is answered: taken back twice, then sent, delivered and read', async () => {
    await using opened = await open(operatorOf(tenant));
    const { page } = opened;
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await hear('Ana', 'Oi, ainda tem?');
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi, ainda tem?').waitFor();
    await fieldOf(page).fill('Tem sim');
    await page.keyboard.press('Enter');
    await seeStatus(page, 'Tem sim', 'Held for 5 s');
    expect(await fieldOf(page).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expectFocused(page, 'Tem sim');
    await page.keyboard.press('Enter');
    await seeStatus(page, 'Tem sim', 'Held for 5 s');
    await page.keyboard.type('z');
    expect(await fieldOf(page).inputValue()).toBe('z');
    await fieldOf(page).fill('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('z');
    await expectFocused(page, 'Tem sim');
    expect(await logOf(page).getByRole('article').count()).toBe(1);
    await page.keyboard.press('Enter');
    await letLeave(page, 'Tem sim');
    await seeStatus(page, 'Tem sim', 'Read');
    expect(simulator.attempts().filter(({ text }) => text === 'Tem sim')).toHaveLength(1);
    expect(opened.problems).toEqual([]);
  });

  slow('a preview says what would be sent and when, also while the instance is out', async () => {
    await using opened = await open(operatorOf(tenant));
    const { page } = opened;
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await hear('Ana', 'Oi, ainda tem?');
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi, ainda tem?').waitFor();
    const preview = page.getByRole('button', { name: 'Preview message' });
    expect(await preview.isDisabled()).toBe(true);
    await fieldOf(page).fill('Tem sim');
    await preview.click();
    const dialog = page.getByRole('dialog', { name: 'Preview message' });
    await dialog.getByRole('region', { name: 'Preview' }).filter({ hasText: 'Tem sim' }).waitFor();
    await dialog.getByText('At once').waitFor();
    await dialog.getByText(tenant.instance.name).waitFor();
    await app.sql("UPDATE chat_instances SET status = 'DISCONNECTED' WHERE id = $1", [tenant.instance.id]);
    await dialog.getByRole('button', { name: 'Read again' }).click();
    await dialog.getByText('Nobody can tell yet').waitFor();
    await dialog.getByText('is DISCONNECTED').waitFor();
    await page.keyboard.press('Escape');
    await expectDraft(page, 'Tem sim');
    expect(await logOf(page).getByRole('article').count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  slow('a quote, a file by its button, a template, and a message for tomorrow', async () => {
    const input = { name: 'Address', body: 'We are at {{street}} {{number | 7}}.' };
    await query(app, tenant.admin, CreateTemplateDocument, { input });
    await hear('Ana', 'Onde fica?');
    await using opened = await open(operatorOf(tenant));
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Onde fica?').hover();
    await articleOf(page, 'Onde fica?').getByRole('button', { name: 'Quote' }).click();
    await page.getByText('Reply to Ana').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach file' }).click();
    await (
      await chooser
    ).setFiles({ name: 'map.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') });
    await page.getByRole('button', { name: 'Remove map.pdf' }).waitFor();

    const composer = page.getByRole('region', { name: 'Composer' });
    await composer.getByRole('button', { name: 'Insert template' }).click();
    const dialog = page.getByRole('dialog', { name: 'Insert template' });
    await dialog.getByRole('button', { name: 'Address' }).click();
    await dialog.getByText('Missing: street').waitFor();
    await dialog.getByRole('textbox', { name: 'street' }).fill('High Street');
    await dialog.getByRole('region', { name: 'Preview' }).filter({ hasText: 'We are at High Street 7.' }).waitFor();
    await dialog.getByRole('button', { name: 'Insert', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await fieldOf(page).inputValue()).toBe('We are at High Street 7.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await letLeave(page, 'We are at High Street 7.');

    await fieldOf(page).fill('Until tomorrow');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByRole('dialog', { name: 'Schedule' }).getByRole('button', { name: 'Schedule message' }).click();
    await seeStatus(page, 'Until tomorrow', 'Scheduled');
    await seeStatus(page, 'We are at High Street 7.', 'Read');
    const answer = articleOf(page, 'We are at High Street 7.');
    await answer.getByRole('button', { name: 'Show the quoted message' }).waitFor();
    await answer.getByText('map.pdf').waitFor();
    expect(await articleOf(page, 'Until tomorrow').textContent()).toContain('Leaves at');
    expect(opened.problems).toEqual([]);
  });

  test('a conversation opens at its newest message, however long those before it are', async () => {
    const from = plainNumber();
    const long = Array.from({ length: 14 }, (_, line) => `${line}. uma linha`).join('\n');
    for (const text of ['Oi', 'E aí?\nTudo?', 'Sim', long, 'Certo', long, long, 'Até logo'])
      await hear('Ana', text, from);
    await using opened = await open(operatorOf(tenant), { viewport: { width: 1040, height: 650 } });
    const { page } = opened;
    await option(page, 'Ana').click();
    await until(
      () => page.evaluate<number>(belowNewest),
      (pixels) => pixels <= 1,
    );
    // The log stays at its end once the rows are measured.
    await settled(page);
    expect(await page.evaluate<number>(belowNewest)).toBeLessThanOrEqual(1);
    await page.mouse.move(700, 300);
    await page.mouse.wheel(0, -200);
    await page.getByRole('button', { name: 'Go to the newest' }).click();
    await until(
      () => page.evaluate<number>(belowNewest),
      (pixels) => pixels <= 1,
    );
    expect(opened.problems).toEqual([]);
  });

  test('snooze, unread and close put a conversation away, and closing goes to the next', async () => {
    for (const name of ['Ana', 'Bob', 'Carla']) await hear(name, 'Oi');
    await using opened = await open(operatorOf(tenant));
    const { page } = opened;
    const shown = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
    await option(page, 'Carla').click();
    await shown('Carla');
    await page.getByRole('button', { name: 'Snooze', exact: true }).click();
    await page.getByRole('menuitem', { name: 'In 1 hour' }).click();
    await page.getByText('Snoozed until').first().waitFor();
    await option(page, 'Bob').click();
    await shown('Bob');
    await articleOf(page, 'Oi').waitFor();
    await page.getByRole('option', { name: /^(?!.*unread).*Bob/ }).waitFor();
    await page.keyboard.press('u');
    await page.getByRole('option', { name: /Bob.*1 unread/ }).waitFor();
    await page.keyboard.press('e');
    await page.getByText('The conversation with Bob is closed.').waitFor();
    await shown('Ana');
    await page.getByRole('link', { name: 'Closed', exact: true }).click();
    await option(page, 'Bob').waitFor();
    await page.getByRole('link', { name: 'Snoozed', exact: true }).click();
    await option(page, 'Carla').waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  test('a failed message says why, and Retry sends it', async () => {
    simulator.behave({ failFirstAttempts: 1, failStatus: 400, failCode: 'not_on_network' }, tenant.instance.name);
    await hear('Ana', 'Oi');
    await using opened = await open(operatorOf(tenant));
    const { page } = opened;
    await option(page, 'Ana').click();
    await fieldOf(page).fill('Bom dia');
    await page.keyboard.press('Enter');
    await letLeave(page, 'Bom dia');
    await seeStatus(page, 'Bom dia', 'Failed');
    await articleOf(page, 'Bom dia').getByText('not_on_network').waitFor();
    await page.getByRole('option', { name: /Ana.*Failed/ }).waitFor();
    await articleOf(page, 'Bom dia').getByRole('button', { name: 'Retry' }).click();
    await seeStatus(page, 'Bom dia', 'Read');
    expect(
      simulator
        .attempts()
        .filter(({ text }) => text === 'Bom dia')
        .map(({ status }) => status),
    ).toEqual([400, 200]);
    expect(opened.problems).toEqual([]);
  });

  test('an answer beyond the limit of calls says so, and leaves by itself once the limit is over', async () => {
    await hear('Ana', 'Oi');
    await using opened = await open(operatorOf(tenant));
    const { page } = opened;
    await option(page, 'Ana').click();
    await fieldOf(page).fill('Bom dia');
    const extensions = { code: 'RATE_LIMITED', retryAfterSeconds: 30 };
    let attempts = 0;
    await page.route('**/graphql', async (route) => {
      const sends = route.request().postData()?.includes('idempotencyKey') === true;
      if (sends) attempts += 1;
      if (!sends || attempts > 1) return route.continue();
      return route.fulfill({ json: { errors: [{ message: 'Too many requests', extensions }], data: null } });
    });
    await page.keyboard.press('Enter');
    await letLeave(page, 'Bom dia');
    await articleOf(page, 'Bom dia').getByText('Too many calls. The message leaves by itself').waitFor();
    await page.getByRole('status').filter({ hasText: 'Trying again in' }).waitFor();
    // Each attempt counts against the limit, so there is none before it is over.
    await page.clock.fastForward(20_000);
    await settled(page);
    expect(attempts).toBe(1);
    await page.clock.fastForward(15_000);
    await seeStatus(page, 'Bom dia', 'Read');
    expect(attempts).toBe(2);
    expect(opened.problems).toEqual([]);
  });

  test('two at one lead see each other, and a second answer past an unread one is not sent', async () => {
    await hear('Ana', 'Oi');
    await using first = await open(operatorOf(tenant));
    await using second = await open(adminOf(tenant));
    for (const { page } of [first, second]) {
      await option(page, 'Ana').click();
      await articleOf(page, 'Oi').waitFor();
    }
    await first.page.getByText(`Also here: ${tenant.admin.idpSub}@test.example`).waitFor();
    await fieldOf(second.page).fill('From the admin');
    await first.page.getByText(`Writing an answer: ${tenant.admin.idpSub}@test.example`).waitFor();
    await fieldOf(first.page).fill('From the operator');
    await second.page.keyboard.press('Enter');
    // The operator's answer is held while the administrator's leaves, and the operator has not seen that one.
    await first.page.keyboard.press('Enter');
    await seeStatus(first.page, 'From the operator', 'Held for 5 s');
    await letLeave(second.page, 'From the admin');
    await seeStatus(second.page, 'From the admin', 'Read');
    await passHold(first.page);
    await articleOf(first.page, '1 new message came.').waitFor();
    expect(simulator.attempts().map(({ text }) => text)).not.toContain('From the operator');
    await articleOf(first.page, 'From the admin').waitFor();
    await first.page.getByRole('button', { name: 'Answer anyway' }).click();
    await passHold(first.page);
    await seeStatus(first.page, 'From the operator', 'Read');
    expect(simulator.attempts().filter(({ text }) => text === 'From the operator')).toHaveLength(1);
    expect([...first.problems, ...second.problems]).toEqual([]);
  });

  slow('an answer that is refused while another conversation is open is said there, and marks its row', async () => {
    const from = plainNumber();
    await hear('Ana', 'Oi', from);
    await hear('Bob', 'Hello');
    await using opened = await open(operatorOf(tenant));
    const { page } = opened;
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    await fieldOf(page).fill('Good morning');
    await page.keyboard.press('Enter');
    await seeStatus(page, 'Good morning', 'Held for 5 s');
    await option(page, 'Bob').click();
    await articleOf(page, 'Hello').waitFor();
    await hear('Ana', 'Mais uma coisa', from);
    await option(page, 'Mais uma coisa').waitFor();
    await passHold(page);
    await page.getByRole('alert').filter({ hasText: 'Not sent: Good morning' }).waitFor();
    await page.getByRole('option', { name: /Ana.*Not sent/ }).waitFor();
    await page.getByRole('button', { name: 'Open conversation' }).click();
    await articleOf(page, '1 new message came.').waitFor();
    expect(simulator.attempts().map(({ text }) => text)).not.toContain('Good morning');
    expect(opened.problems).toEqual([]);
  });

  slow(
    'an answer that the gateway refuses while another conversation is open is said there, to its author alone',
    async () => {
      simulator.behave({ failFirstAttempts: 1, failStatus: 400, failCode: 'not_on_network' }, tenant.instance.name);
      await hear('Ana', 'Oi');
      await hear('Bob', 'Hello');
      await using opened = await open(operatorOf(tenant));
      await using other = await open(adminOf(tenant));
      const { page } = opened;
      await option(other.page, 'Bob').click();
      await option(page, 'Ana').click();
      await articleOf(page, 'Oi').waitFor();
      await fieldOf(page).fill('Good morning');
      await page.keyboard.press('Enter');
      await seeStatus(page, 'Good morning', 'Held for 5 s');
      await option(page, 'Bob').click();
      await articleOf(page, 'Hello').waitFor();
      await passHold(page);
      await page.getByRole('alert').filter({ hasText: 'Not sent: Good morning' }).waitFor();
      for (const each of [page, other.page]) await each.getByRole('option', { name: /Ana.*Not sent/ }).waitFor();
      expect(await other.page.getByRole('alert').filter({ hasText: 'Not sent' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Open conversation' }).click();
      await articleOf(page, 'Good morning').getByText('Failed').waitFor();
      expect([...opened.problems, ...other.problems]).toEqual([]);
    },
  );

  test('what is held leaves once, also when the page is loaded again at that moment', async () => {
    await hear('Ana', 'Oi');
    await using opened = await open(operatorOf(tenant));
    const { page } = opened;
    // A lead that was answered waits no longer, and leaves the first view.
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await option(page, 'Ana').click();
    await articleOf(page, 'Oi').waitFor();
    await fieldOf(page).fill('Only once');
    await page.keyboard.press('Enter');
    await seeStatus(page, 'Only once', 'Held for 5 s');
    await page.reload();
    await option(page, 'Ana').waitFor();
    // By then the next page has looked for the messages that the page before held.
    await passHold(page);
    await seeStatus(page, 'Only once', 'Read');
    await passHold(page);
    expect(await articleOf(page, 'Only once').count()).toBe(1);
    expect(simulator.attempts().filter(({ text }) => text === 'Only once')).toHaveLength(1);
  });
}
