// The form for a bulk send in a browser: recipients that are chosen, the summary, and the question and the hold above 20 people.

import type { Page } from 'playwright-core';
import { createTemplate, storeLeads } from '../features/bulk-sends/bulk-harness.js';
import { until } from '../features/messages/sending-harness.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { openConsole, operatorOf, settled } from './browser.js';

export function describeBulkPage(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const sendsOf = async () => {
    const [row] = await app.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM bulk_sends WHERE tenant_id = $1',
      [tenant.id],
    );
    return row?.count;
  };
  const summaryOf = (page: Page) => page.getByRole('complementary', { name: 'Summary' });

  /** Chooses the only template, and all leads. */
  async function fillIn(page: Page, count: number): Promise<void> {
    await page.getByRole('combobox', { name: 'Template' }).selectOption({ index: 1 });
    const take = page.getByRole('button', { name: 'Use these recipients' });
    await page.getByText('Choose by a condition, or all leads.').waitFor();
    expect(await take.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'All leads' }).check();
    await take.click();
    await summaryOf(page)
      .getByRole('button', { name: `Send to ${count} recipients` })
      .waitFor();
  }

  slow('above 20 people it asks and holds, the undo takes it back, and else it leaves after 30 seconds', async () => {
    await storeLeads(app, tenant, 21);
    await createTemplate(app, tenant);
    await using opened = await openConsole(app, operatorOf(tenant), '/bulk?id=new', { clock: true });
    const { page } = opened;
    await fillIn(page, 21);
    const summary = summaryOf(page);
    const said = await summary.innerText();
    for (const part of ['21 people', '16 characters', 'Now', tenant.instance.name, 'You are asked once.'])
      expect(said).toContain(part);
    const send = summary.getByRole('button', { name: 'Send to 21 recipients' });
    const ask = async () => {
      await send.click();
      const dialog = page.getByRole('dialog', { name: 'Send to 21 people?' });
      await dialog.getByRole('button', { name: 'Send to 21 recipients' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await ask();
    const held = page.getByRole('status').filter({ hasText: /Leaves to 21 people in \d+ sec/ });
    await held.waitFor();
    expect(await send.isDisabled()).toBe(true);
    const { light, dark } = await violationsInBothThemes(page);
    expect([...light, ...dark]).toEqual([]);
    await held.getByRole('button', { name: 'Undo' }).click();
    await held.waitFor({ state: 'detached' });
    await send.and(page.locator(':focus')).waitFor();
    await page.clock.fastForward(31_000);
    expect([await sendsOf(), await send.isEnabled()]).toEqual([0, true]);
    await ask();
    await held.waitFor();
    await page.keyboard.press('z');
    await held.waitFor({ state: 'detached' });
    await ask();
    await held.waitFor();
    await page.clock.fastForward(31_000);
    await page.waitForURL(/bulk\?id=[\da-f-]{36}/);
    expect(await sendsOf()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  slow('who leaves the page while it is held is asked before it goes on', async () => {
    await storeLeads(app, tenant, 21);
    await createTemplate(app, tenant);
    await using opened = await openConsole(app, operatorOf(tenant), '/bulk?id=new', { clock: true });
    const { page } = opened;
    await fillIn(page, 21);
    await summaryOf(page).getByRole('button', { name: 'Send to 21 recipients' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send to 21 recipients' }).click();
    await page.getByRole('status').filter({ hasText: 'Leaves to 21 people' }).waitFor();
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    await page.clock.fastForward(60_000);
    expect(await sendsOf()).toBe(0);
    await page.getByRole('link', { name: 'Bulk' }).click();
    await page.getByRole('button', { name: 'Stop here' }).waitFor();
    expect(await sendsOf()).toBe(0);
  });

  test('up to 20 people it leaves at once', async () => {
    await storeLeads(app, tenant, 20);
    await createTemplate(app, tenant);
    await app.sql('UPDATE tenants SET chat_rate_max = 5, chat_rate_duration_ms = 60000 WHERE id = $1', [tenant.id]);
    await using opened = await openConsole(app, operatorOf(tenant), '/bulk?id=new');
    const { page } = opened;
    await fillIn(page, 20);
    await summaryOf(page)
      .getByText(/Now, done at about (.+, )?\d{1,2}:\d{2}/)
      .waitFor();
    await summaryOf(page).getByText('5 in 1 min, as Settings say').waitFor();
    await summaryOf(page).getByText('It leaves at once.').waitFor();
    await summaryOf(page).getByRole('button', { name: 'Send to 20 recipients' }).click();
    await page.waitForURL(/bulk\?id=[\da-f-]{36}/);
    await page.getByText(/of 20 done, done at about (.+, )?\d{1,2}:\d{2}/).waitFor();
    expect(await sendsOf()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  /** Begins a send whose answer does not come before `answer` is resolved. */
  async function sendSlowly(page: Page) {
    const [asked, answer, done] = [0, 1, 2].map(() => Promise.withResolvers<void>());
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName !== 'StartBulk') return route.continue();
      asked?.resolve();
      const response = await route.fetch();
      await answer?.promise;
      await route.fulfill({ response });
      done?.resolve();
    });
    await fillIn(page, 2);
    await summaryOf(page).getByRole('button', { name: 'Send to 2 recipients' }).click();
    await asked?.promise;
    return async () => {
      answer?.resolve();
      await done?.promise;
    };
  }

  slow('a send goes on while another page is shown, and is not taken for an interrupted one', async () => {
    await storeLeads(app, tenant, 2);
    await createTemplate(app, tenant);
    await using opened = await openConsole(app, operatorOf(tenant), '/bulk?id=new');
    const { page } = opened;
    const answer = await sendSlowly(page);
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    await page.getByRole('link', { name: 'Bulk' }).click();
    await page.getByRole('region', { name: 'Sending' }).getByRole('progressbar').waitFor();
    expect(await page.getByRole('button', { name: 'Stop here' }).count()).toBe(0);
    await answer();
    await page.waitForURL(/bulk\?id=[\da-f-]{36}/);
    expect(await sendsOf()).toBe(1);
    await page.getByRole('button', { name: 'All bulk sends' }).click();
    await page.getByRole('button', { name: 'New bulk send' }).click();
    await page.getByText('Choose by a condition, or all leads.').waitFor();
    expect(await page.getByText(/^Draft kept/).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow('recipients of a send that is under way are not kept behind the sign-out', async () => {
    await storeLeads(app, tenant, 2);
    await createTemplate(app, tenant);
    await using opened = await openConsole(app, operatorOf(tenant), '/bulk?id=new');
    const { page } = opened;
    const answer = await sendSlowly(page);
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('heading', { name: 'Sign in to Leadwire' }).waitFor();
    await page.evaluate(`globalThis.written = []; Storage.prototype.setItem = (key) => written.push(key)`);
    await answer();
    await settled(page);
    expect(await page.evaluate(`written.filter((key) => key.includes('bulk'))`)).toEqual([]);
  });

  slow('the recipients of a file are found by a column of any name, below a title', async () => {
    for (const chat of ['+5511988880001', '+5511988880002'])
      expect((await app.post('/public/leads', { chat }, withKey(tenant))).status).toBe(201);
    await createTemplate(app, tenant);
    await using opened = await openConsole(app, operatorOf(tenant), '/bulk?id=new');
    const { page } = opened;
    await page.getByRole('combobox', { name: 'Template' }).selectOption({ index: 1 });
    await page.getByRole('radio', { name: 'A CSV file' }).check();
    const choose = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose('Nome;Cidade\nAna;Recife\n');
    await page.getByRole('alert').getByText('No column of the file has numbers or ids').waitFor();
    await choose('Clientes, maio\nNome;Celular;Cidade\nAna;+55 11 98888-0001;Recife\nBia;+55 (11) 98888-0002;Olinda\n');
    await page.getByText('2 rows, with the columns Nome, Celular, and Cidade.').waitFor();
    await page.getByRole('button', { name: 'Use these recipients' }).click();
    await summaryOf(page).getByRole('button', { name: 'Send to 2 recipients' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('behind a queue longer than is counted, the end is only known to be later', async () => {
    await storeLeads(app, tenant, 20);
    await createTemplate(app, tenant);
    await app.sql('UPDATE tenants SET chat_rate_max = 5, chat_rate_duration_ms = 60000 WHERE id = $1', [tenant.id]);
    await using opened = await openConsole(app, operatorOf(tenant), '/bulk?id=new');
    const { page } = opened;
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const answer = await response.text();
      await route.fulfill({ response, body: answer.replace('"isComplete":true', '"isComplete":false') });
    });
    await fillIn(page, 20);
    await summaryOf(page)
      .getByText(/Now, done after (.+, )?\d{1,2}:\d{2}/)
      .waitFor();
    await summaryOf(page).getByRole('button', { name: 'Send to 20 recipients' }).click();
    await page.getByText(/of 20 done, done after (.+, )?\d{1,2}:\d{2}/).waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('choices are kept while the page is left; what was chosen are chips, and texts stand side by side', async () => {
    await storeLeads(app, tenant, 5);
    await createTemplate(app, tenant);
    await using opened = await openConsole(app, operatorOf(tenant), '/bulk?id=new');
    const { page } = opened;
    await fillIn(page, 5);
    const chips = page.getByRole('list', { name: 'Recipients' });
    await chips.getByText('All leads').waitFor();
    await page.getByText('5 recipients were read. 5 recipients get a message.').waitFor();
    const texts = page.getByRole('figure');
    expect(await texts.count()).toBe(3);
    const first = await texts.first().innerText();
    await page.getByRole('button', { name: 'Three others' }).click();
    await texts.nth(2).waitFor({ state: 'detached' });
    expect([await texts.count(), (await texts.first().innerText()) === first]).toEqual([2, false]);
    const { light, dark } = await violationsInBothThemes(page);
    expect([...light, ...dark]).toEqual([]);

    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    await page.getByRole('link', { name: 'Bulk' }).click();
    await page.getByRole('button', { name: 'New bulk send' }).first().click();
    await page.getByText(/^Draft kept, \d/).waitFor();
    const template = page.getByRole('combobox', { name: 'Template' });
    // A choice shows once the templates have been read.
    await until(
      () => template.inputValue(),
      (value) => value !== '',
    );
    const all = page.getByRole('checkbox', { name: 'All leads' });
    expect(await all.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Use these recipients' }).click();
    await chips.getByRole('button', { name: 'Remove All leads' }).click();
    expect(await all.isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText(/^Draft kept/).waitFor({ state: 'detached' });
    expect(await template.inputValue()).toBe('');
    expect(
      await page.evaluate<number>(`Object.keys(sessionStorage).filter((key) => key.includes('draft')).length`),
    ).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow('a failure names its own request, also when another answer comes before its text', async () => {
    const failLate = `{
      const send = window.fetch;
      const other = Promise.withResolvers();
      const body = JSON.stringify({ errors: [{ message: 'No', extensions: { code: 'INTERNAL' } }] });
      const text = new ReadableStream({
        async start(stream) {
          await other.promise;
          stream.enqueue(new TextEncoder().encode(body));
          stream.close();
        },
      });
      window.fetch = async (input, init) => {
        if (String(init?.body).includes('"BulkList"')) {
          window.isFailing = true;
          return new Response(text, { headers: { 'x-request-id': 'own', 'content-type': 'application/json' } });
        }
        const answer = await send(input, init);
        if (String(init?.body).includes('"FindPeople"')) setTimeout(other.resolve);
        return answer;
      };
    }`;
    await using opened = await openConsole(app, operatorOf(tenant), '/bulk', { record: failLate });
    const { page } = opened;
    await until(
      () => page.evaluate<boolean>('window.isFailing === true'),
      (isFailing) => isFailing,
    );
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('ana');
    await page.getByText('Request own').waitFor();
  });

  slow('filters are added one by one, each as a chip that can be taken away', async () => {
    await storeLeads(app, tenant, 3);
    await createTemplate(app, tenant);
    await app.sql(
      "UPDATE leads SET tags = '{surf}' WHERE tenant_id = $1 AND id = (SELECT min(id::text)::uuid FROM leads WHERE tenant_id = $1)",
      [tenant.id],
    );
    await using opened = await openConsole(app, operatorOf(tenant), '/bulk?id=new');
    const { page } = opened;
    await page.getByRole('combobox', { name: 'Template' }).selectOption({ index: 1 });
    await page.getByRole('textbox', { name: 'Tag' }).fill('surf');
    await page.getByText('1 lead matches.').waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Conversation' }).click();
    const status = page.getByRole('combobox', { name: 'Conversation' });
    await page.waitForFunction("document.activeElement?.tagName === 'SELECT'");
    await status.selectOption('CLOSED');
    await page.getByText('0 leads match.').waitFor();
    await page.getByRole('button', { name: 'Remove Conversation' }).click();
    await status.waitFor({ state: 'detached' });
    await page.getByText('1 lead matches.').waitFor();
    const { light, dark } = await violationsInBothThemes(page);
    expect([...light, ...dark]).toEqual([]);
    await page.getByRole('button', { name: 'Use these recipients' }).click();
    const chips = page.getByRole('list', { name: 'Recipients' });
    await chips.getByText('surf').waitFor();
    await summaryOf(page).getByRole('button', { name: 'Send to 1 recipient', exact: true }).waitFor();
    // A further filter brings the fields back: what was read is outdated.
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Source' }).click();
    await page.getByRole('textbox', { name: 'Source' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Tag' }).inputValue()).toBe('surf');
    expect(await chips.count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow('the draft goes with the sign-out, also where its page is not open', async () => {
    await createTemplate(app, tenant);
    await using opened = await openConsole(app, operatorOf(tenant), '/bulk?id=new');
    const { page } = opened;
    await page.getByRole('combobox', { name: 'Template' }).selectOption({ index: 1 });
    await page.getByText(/^Draft kept/).waitFor();
    await page.goto(new URL('/templates', page.url()).href);
    const drafts = () =>
      page.evaluate<number>(`Object.keys(sessionStorage).filter((key) => key.includes('draft')).length`);
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    expect(await drafts()).toBe(1);
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('heading', { name: 'Sign in to Leadwire' }).waitFor();
    expect(await drafts()).toBe(0);
  });
}
