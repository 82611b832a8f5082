// A file of leads in a browser: the meaning of each column, the file's problems before anything is written, and the refused rows.

import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { violationsIn } from './axe.js';
import { openConsole, operatorOf } from './browser.js';

const fair = [
  'chat,name,source',
  '+55 11 98888-0001,Ana,fair',
  'not a number,Bob,fair',
  '+55 11 98888-0002,Carla,fair',
  '+55 11 98888-0001,Ana again,fair',
].join('\n');

/** The guess takes the column Fone, which holds the landlines. */
const contacts = [
  'Fone;Contato direto;Nome;Cidade;Segmento;Observação',
  '(11) 3333-4444;(11) 98888-1001;Ana Lima;São Paulo;vip;liga à tarde',
  ';(21) 98888-1002;Rui Costa;Rio de Janeiro;;',
  ';98888;Sem código;Recife;;',
].join('\r\n');

export function describeLeadsImport(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const leads = () =>
    app.sql<{ name: string; chat: string; tags: string[]; fields: object; metadata: object | null }>(
      'SELECT name, chat, tags, custom_fields AS fields, metadata FROM leads WHERE tenant_id = $1 ORDER BY chat',
      [tenant.id],
    );

  async function choose(page: Page, name: string, content: string | Buffer): Promise<Locator> {
    const dialog = page.getByRole('dialog', { name: 'Import' });
    if ((await dialog.count()) === 0) await page.getByRole('button', { name: 'Import', exact: true }).click();
    const chosen = { name, mimeType: 'text/csv', buffer: Buffer.from(content) };
    await dialog.getByLabel('CSV file').setInputFiles(chosen);
    return dialog;
  }

  const field = (dialog: Locator, header: string) =>
    dialog.getByRole('combobox', { name: `Field of ${header}`, exact: true });
  const chosenIn = (box: Locator) => box.locator('option:checked').textContent();

  slow('wrong rows are named by the dry run, and the others are imported', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/leads');
    const { page } = opened;
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const check = page.getByRole('dialog', { name: 'Import' }).getByRole('button', { name: 'Check the file' });
    expect(await check.isDisabled()).toBe(true);
    const dialog = await choose(page, 'fair.csv', fair);
    await check.click();
    const wrong = dialog.getByRole('table', { name: 'What is wrong' });
    await wrong.getByRole('row').filter({ hasText: 'chat' }).first().waitFor();
    expect(await wrong.getByRole('row').nth(1).getByRole('cell').first().textContent()).toBe('3');
    expect(await leads()).toEqual([]);
    await dialog.getByRole('button', { name: /^Import \d rows$/ }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const table = page.getByRole('table', { name: 'Leads' });
    for (const name of ['Ana', 'Carla']) await table.getByRole('link', { name, exact: true }).waitFor();
    expect(await table.getByText('Bob').count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  test('columns are suggested and chosen otherwise, numbers are read with a country, and refused rows are a file', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/leads');
    const { page } = opened;
    const dialog = await choose(page, 'contatos.csv', contacts);
    const firstRows = dialog.getByRole('table', { name: 'How the first numbers are read' });
    await firstRows.getByRole('row').nth(1).waitFor();
    expect(await chosenIn(field(dialog, 'Fone'))).toBe('Phone number');
    expect(await chosenIn(field(dialog, 'Nome'))).toBe('Name');
    expect(await chosenIn(field(dialog, 'Cidade'))).toBe('Cidade (custom field)');
    // Choosing another column for the number takes it from the column that had it.
    await field(dialog, 'Contato direto').selectOption({ label: 'Phone number' });
    await dialog.getByText('Phone number is “Contato direto” already').waitFor();
    expect(await chosenIn(field(dialog, 'Fone'))).toBe('Fone (custom field)');
    await field(dialog, 'Fone').selectOption({ label: 'Fone (further detail)' });
    await field(dialog, 'Segmento').selectOption({ label: 'Tags' });
    await field(dialog, 'Observação').selectOption({ label: 'Leave out' });
    await field(dialog, 'Cidade').selectOption({ label: 'Custom field of another name…' });
    await page.keyboard.type('city');
    await page.keyboard.press('Enter');
    await firstRows.getByText('needs a country code').first().waitFor();
    const country = dialog.getByLabel('Country of numbers');
    await country.fill('bra');
    await country.blur();
    await dialog.getByText('There is no such country').waitFor();
    await country.fill('br');
    await firstRows.getByText('With the country code of: Brazil').first().waitFor();
    await firstRows.getByText('+5511988881001').waitFor();
    expect(await chosenIn(field(dialog, 'Cidade'))).toBe('city (custom field)');
    await dialog.getByRole('button', { name: 'Check the file' }).click();
    const wrong = dialog.getByRole('table', { name: 'What is wrong' }).getByRole('row').nth(1);
    await wrong.waitFor();
    const cells = await wrong.getByRole('cell').allTextContents();
    expect(cells.slice(0, 2)).toEqual(['4', 'Contato direto']);
    expect(cells[2]).toContain('without its area code');
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download the refused rows' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe('contatos-refused.csv');
    expect(await readFile(await download.path(), 'utf8')).toMatch(/Fone,Contato direto,.*refusedReason\r\n.*98888.*4,/);
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click();
    await dialog.getByText('The import is finished.').waitFor();
    expect(await leads()).toEqual([
      {
        name: 'Ana Lima',
        chat: '5511988881001',
        tags: ['vip'],
        fields: { city: 'São Paulo' },
        metadata: { Fone: '(11) 3333-4444' },
      },
      {
        name: 'Rui Costa',
        chat: '5521988881002',
        tags: [],
        fields: { city: 'Rio de Janeiro' },
        metadata: null,
      },
    ]);
    expect(opened.problems).toEqual([]);
  });

  slow('titles above the header are left out, and it is said', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/leads');
    const { page } = opened;
    const titled = ['Clientes de novembro, todas as lojas', '', 'Nome;Celular', 'Ana;+55 11 98888-2001', 'Rui;x'].join(
      '\n',
    );
    const dialog = await choose(page, 'clientes.csv', titled);
    await dialog.getByText('Line 3 names the columns: what stands above it is left out').waitFor();
    expect(await chosenIn(field(dialog, 'Celular'))).toBe('Phone number');
    await dialog.getByRole('button', { name: 'Check the file' }).click();
    const wrong = dialog.getByRole('table', { name: 'What is wrong' }).getByRole('row').nth(1);
    await wrong.waitFor();
    expect((await wrong.getByRole('cell').allTextContents()).slice(0, 2)).toEqual(['5', 'Celular']);
    expect(opened.problems).toEqual([]);
  });

  slow(
    'known leads stay, get what they lack, or get what the file has; columns can be changed after the check',
    async () => {
      await using opened = await openConsole(app, operatorOf(tenant), '/leads');
      const { page } = opened;
      const import1 = async (name: string, content: string, known: string) => {
        const dialog = await choose(page, name, content);
        await dialog.getByLabel('Leads that are known already').selectOption({ label: known });
        await dialog.getByRole('button', { name: 'Check the file' }).click();
        await dialog.getByText('Nothing was changed yet').waitFor();
        const counts = await dialog.locator('dl').textContent();
        await dialog.getByRole('button', { name: /^Import 1 row$/ }).click();
        await dialog.getByText('The import is finished.').waitFor();
        await dialog.getByRole('button', { name: 'Choose another file' }).click();
        return counts;
      };
      expect(await import1('a.csv', 'chat,name\n4915100000001,Ana\n', 'Stay as they are')).toContain('New leads1');
      const next = 'chat,name,city\n4915100000001,Bo,Bonn\n';
      expect(await import1('b.csv', next, 'Get what they lack')).toContain('Of them changed1');
      expect(await leads()).toMatchObject([{ name: 'Ana', fields: { city: 'Bonn' } }]);
      const dialog = await choose(page, 'b.csv', next);
      await dialog.getByLabel('Leads that are known already').selectOption({ label: 'Get what the file has' });
      await dialog.getByRole('button', { name: 'Check the file' }).click();
      await dialog.getByRole('button', { name: 'Change columns' }).click();
      await field(dialog, 'city').selectOption({ label: 'Leave out' });
      await dialog.getByRole('button', { name: 'Check the file' }).click();
      await dialog.getByRole('button', { name: 'Import 1 row' }).click();
      await dialog.getByText('The import is finished.').waitFor();
      expect(await leads()).toMatchObject([{ name: 'Bo', fields: { city: 'Bonn' } }]);
      expect(opened.problems).toEqual([]);
    },
  );

  slow('an import that cannot be seen for a while goes on, and its result is shown once it can', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/leads');
    const { page } = opened;
    let isAway = true;
    await page.route('**/leads/import?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), status: 'RUNNING' } });
    });
    await page.route('**/graphql', async (route) => {
      if (!isAway || route.request().postDataJSON().operationName !== 'ImportProgress') return route.continue();
      const errors = [{ message: 'No', extensions: { code: 'INTERNAL' } }];
      return route.fulfill({ json: { errors } });
    });
    const dialog = await choose(page, 'a.csv', 'chat,name\n4915100000001,Ana\n');
    await dialog.getByRole('button', { name: 'Check the file' }).click();
    await dialog.getByText('No news at the moment.').waitFor();
    isAway = false;
    await dialog.getByText('Nothing was changed yet').waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('a file that cannot be read is named, with what to do; one without numbers asks for their column', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/leads');
    const { page } = opened;
    const dialog = await choose(page, 'contacts.xlsx', Buffer.from([0x50, 0x4b, 0x03, 0x04, 1, 2]));
    const alert = dialog.getByRole('alert');
    await alert.filter({ hasText: /^contacts\.xlsx: The file is a workbook.*save it as "CSV UTF-8"/ }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Check the file' }).isDisabled()).toBe(true);
    await choose(page, 'empty.csv', '\n');
    await alert.filter({ hasText: 'empty.csv: The file is empty.' }).waitFor();
    await choose(page, 'quote.csv', 'chat,name\n4915100000001,"Ana\n');
    await alert.filter({ hasText: /^quote\.csv: line 2: a quotation mark/ }).waitFor();
    await choose(page, 'wer.csv', 'Wer,Was\n4915100000001,x\n');
    await alert.filter({ hasText: 'Choose the column that has the phone numbers.' }).waitFor();
    await field(dialog, 'Wer').selectOption({ label: 'Phone number' });
    await dialog.getByText('+4915100000001').waitFor();
    await alert.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Check the file' }).click();
    await dialog.getByRole('button', { name: 'Import 1 row' }).waitFor();
    // Refused files are answers of 400 and 422, which the browser notes.
    expect(opened.problems.filter((problem) => !/status of 4\d\d/.test(problem))).toEqual([]);
  });

  slow(
    'by keyboard alone, in three languages, light and dark, at 390 px: axe finds nothing, and the sample is imported',
    async () => {
      for (const [language, colorScheme, width] of [
        ['en-US', 'light', 1440],
        ['pt-BR', 'dark', 390],
        ['es', 'light', 390],
      ] as const) {
        await using opened = await openConsole(app, operatorOf(tenant), '/leads', {
          locale: language,
          colorScheme,
          viewport: { width, height: 900 },
          reducedMotion: 'reduce',
        });
        const { page } = opened;
        await page.getByRole('button', { name: /^Import(?:ar)?$/ }).press('Enter');
        const dialog = page.getByRole('dialog');
        const saving = page.waitForEvent('download');
        await dialog.getByRole('button', { name: /sample|exemplo|ejemplo/ }).press('Enter');
        const sample = await (await saving).path();
        await dialog.locator('input[type=file]').setInputFiles({
          name: 'sample.csv',
          mimeType: 'text/csv',
          buffer: await readFile(sample),
        });
        await dialog.getByRole('combobox').first().waitFor();
        const country = dialog.locator('input[list]');
        await country.fill(language === 'es' ? 'ES' : language === 'pt-BR' ? 'BR' : 'US');
        await dialog
          .getByText(/^\+(?:1|55|34)\d+$/)
          .nth(1)
          .waitFor();
        expect(await violationsIn(page)).toEqual([]);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        // From the country, Tab leads to the one button at the foot.
        await country.press('Tab');
        await page.keyboard.press('Enter');
        await dialog.getByRole('button', { name: /^Importa?r? 2 (?:rows|linhas|filas)$/ }).waitFor();
        expect(await violationsIn(page)).toEqual([]);
        await dialog.getByRole('button', { name: /^Importa?r? 2 (?:rows|linhas|filas)$/ }).press('Enter');
        await dialog.getByRole('button', { name: /^(?:Done|Concluir|Listo)$/ }).press('Enter');
        await dialog.waitFor({ state: 'detached' });
        expect(opened.problems).toEqual([]);
      }
      expect((await leads()).map(({ chat }) => chat)).toEqual([
        '14155552671',
        '14155552672',
        '34612345678',
        '34612345679',
        '5511988887777',
        '5521977776666',
      ]);
    },
  );
}
