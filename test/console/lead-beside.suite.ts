// The lead beside its conversation: seen, and changed in place.

import { plainNumber, until } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { MergeLeadsDocument, UpdateLeadDocument } from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { openConsole, operatorOf } from './browser.js';
import { hear } from '../features/leads/conversation-harness.js';

export function describeLeadBeside(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  /** @returns the id of a lead that came by a form, with a tag and a field, and has written since */
  async function writeLead(chat: string): Promise<string> {
    await app.post('/public/leads', { chat, name: 'Ana', source: 'spring form' }, withKey(tenant));
    const leadId = (await hear(app, tenant, chat)).leadId;
    const input = { tags: ['surf'], customFields: { guests: 4 } };
    await query(app, tenant.operator, UpdateLeadDocument, { id: leadId, input });
    return leadId;
  }

  const stored = async (leadId: string) => {
    const [row] = await app.sql<{ tags: string[]; fields: Record<string, unknown> }>(
      'SELECT tags, custom_fields AS fields FROM leads WHERE id = $1',
      [leadId],
    );
    return row;
  };

  test('stands beside it at 1280 px; a tag and a field are changed where they are read', async () => {
    const chat = plainNumber();
    const leadId = await writeLead(chat);
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`);
    const { page } = opened;
    const lead = page.getByRole('complementary', { name: 'Lead' });
    await lead.getByText(`+${chat}`).waitFor();
    await lead.getByText('spring form').first().waitFor();
    const log = page.getByRole('log', { name: 'Messages' });
    await log.getByRole('article').first().waitFor();
    expect((await log.boundingBox())?.width).toBeGreaterThanOrEqual(340);

    await lead.getByRole('textbox', { name: 'Tag…' }).fill('July');
    await page.keyboard.press('Enter');
    await lead.getByRole('button', { name: 'Take away july' }).waitFor();
    await lead.getByRole('button', { name: 'guests: 4. Edit' }).click();
    await lead.getByRole('textbox', { name: 'guests' }).fill('5');
    await page.keyboard.press('Enter');
    await lead.getByRole('button', { name: 'guests: 5. Edit' }).waitFor();
    await lead.getByRole('button', { name: 'Take away surf' }).click();
    await until(
      () => stored(leadId),
      (row) => row?.tags.join() === 'july',
    );
    // A number stays a number.
    expect(await stored(leadId)).toMatchObject({ fields: { guests: 5 } });
    expect(opened.problems).toEqual([]);
  });

  slow(
    'a number is set in groups, while its text is the plain one: for copying, search and screen readers',
    async () => {
      const chat = '5511955500142';
      const { leadId } = await hear(app, tenant, chat);
      await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}?view=all`);
      const { page } = opened;
      const number = page.getByRole('complementary', { name: 'Lead' }).getByText(`+${chat}`, { exact: true });
      await number.waitFor();
      const shown = await page.evaluate(`(() => {
      const number = document.querySelector('aside bdi');
      getSelection().selectAllChildren(number);
      const groups = [...number.children].map((one) => one.getBoundingClientRect());
      return {
        copied: String(getSelection()),
        isApart: groups.slice(1, -1).every((one, index) => one.left > groups[index].right + 2),
        hyphen: getComputedStyle(number.lastElementChild, '::before').content.slice(0, 3),
      };
    })()`);
      expect(shown).toEqual({ copied: `+${chat}`, isApart: true, hyphen: '"-"' });
      // The lead has no name: its number stands for it.
      await page.getByRole('option', { name: chat }).waitFor();
      await page.getByRole('heading', { name: chat, exact: true }).waitFor();
      expect(opened.problems).toEqual([]);
    },
  );

  slow('names who is likely the same person; comparing shows both, and merges only when told', async () => {
    const email = `ana-${Date.now()}@example.com`;
    const leadId = await writeLead(plainNumber());
    const otherId = await writeLead(plainNumber());
    await app.sql('UPDATE leads SET name = $2, custom_fields = $3 WHERE id = $1', [otherId, 'Ana Twice', { email }]);
    await app.sql('UPDATE leads SET custom_fields = $2 WHERE id = $1', [leadId, { email }]);
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`);
    const { page } = opened;
    const lead = page.getByRole('complementary', { name: 'Lead' });
    await lead.getByText('Likely the same person').waitFor();
    await lead.getByText('same e-mail').waitFor();
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    await lead.getByRole('link', { name: 'Compare with Ana Twice' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Ana Twice', { exact: true }).waitFor();
    await dialog.getByText('Stays', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Merge now', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await until(
      () => app.sql<{ id: string | null }>('SELECT merged_into_id AS id FROM leads WHERE id = $1', [otherId]),
      ([row]) => row?.id === leadId,
    );
    expect(opened.problems).toEqual([]);
  });

  slow.each([900, 1040, 1280])(
    'at %i px the head shows the whole number where the lead is not beside it',
    async (width) => {
      const chat = plainNumber();
      const leadId = await writeLead(chat);
      const name = 'Maria Fernanda Albuquerque de Vasconcelos e Souza Cavalcanti';
      await app.sql('UPDATE leads SET name = $2 WHERE id = $1', [leadId, name]);
      await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`, {
        viewport: { width, height: 800 },
      });
      const { page } = opened;
      if (width >= 1280) await page.getByRole('button', { name: 'Hide the lead' }).click();
      const number = page.getByRole('main').locator('header').getByText(`+${chat}`);
      const [whole, room] = [await number.boundingBox(), await number.locator('xpath=../..').boundingBox()];
      expect((whole?.x ?? NaN) + (whole?.width ?? NaN)).toBeLessThanOrEqual((room?.x ?? NaN) + (room?.width ?? NaN));
      expect(opened.problems).toEqual([]);
    },
  );

  slow('a merge elsewhere opens the joined conversation, says so, and takes what was written along', async () => {
    const [leadId, otherId] = [await writeLead(plainNumber()), await writeLead(plainNumber())];
    await app.sql('UPDATE leads SET name = $2 WHERE id = $1', [leadId, 'Ana Kept']);
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${otherId}`);
    const { page } = opened;
    const field = page.getByRole('textbox', { name: 'Message', exact: true });
    await field.fill('Bom dia, Ana');
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await query(app, tenant.admin, MergeLeadsDocument, { leadId: otherId, intoId: leadId });
    await page.waitForURL((url) => url.pathname === `/inbox/${leadId}`);
    await page.getByText('This lead was merged: here is the conversation with Ana Kept.').waitFor();
    await until(
      () => field.inputValue(),
      (text) => text === 'Bom dia, Ana',
    );
    expect(opened.problems).toEqual([]);
  });

  slow('gives its room to the conversation, and comes back', async () => {
    const leadId = await writeLead(plainNumber());
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`);
    const { page } = opened;
    const lead = page.getByRole('complementary', { name: 'Lead' });
    await lead.getByRole('button', { name: 'Hide the lead' }).click();
    await lead.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Lead', exact: true }).click();
    await lead.waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('is a drawer in a smaller window', async () => {
    const chat = plainNumber();
    const leadId = await writeLead(chat);
    const viewport = { width: 1000, height: 760 };
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`, { viewport });
    const { page } = opened;
    await page.getByRole('log', { name: 'Messages' }).getByRole('article').first().waitFor();
    expect(await page.getByRole('complementary', { name: 'Lead' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Lead', exact: true }).click();
    await page.getByRole('dialog', { name: 'Lead' }).getByText(`+${chat}`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Lead' }).waitFor({ state: 'detached' });
    expect(opened.problems).toEqual([]);
  });

  slow('what could not be read without a network is read again once the network is back', async () => {
    const [first, second] = [await writeLead(plainNumber()), await writeLead(plainNumber())];
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${first}?view=all`);
    const { page } = opened;
    const lead = page.getByRole('complementary', { name: 'Lead' });
    const state = page.getByRole('status', { name: 'Connection' });
    await lead.getByText('spring form').first().waitFor();
    await page.locator(`#conversation-${second}`).click();
    await page.waitForURL(`**/inbox/${second}*`);
    await lead.getByText('spring form').first().waitFor();
    await state.filter({ hasText: 'Live' }).waitFor();
    await page.context().setOffline(true);
    await state.filter({ hasText: 'Offline' }).waitFor();
    await page.locator(`#conversation-${first}`).click();
    await lead.getByRole('button', { name: 'Try again' }).waitFor();
    await page.context().setOffline(false);
    await lead.getByText('spring form').first().waitFor();
    await lead.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
  });

  slow.each([
    ['en-US', 'Send from'],
    ['pt-BR', 'Enviar por'],
    ['es', 'Enviar desde'],
  ])('the number that answers is whole beside it (%s)', async (locale, name) => {
    const leadId = await writeLead(plainNumber());
    const instanceName = 'front desk Ericeira';
    await app.sql('UPDATE chat_instances SET number = $2, instance_name = $3 WHERE tenant_id = $1', [
      tenant.id,
      '5511955500100',
      instanceName,
    ]);
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`, { locale });
    const { page } = opened;
    const from = page.getByRole('combobox', { name });
    await from.getByText('+55').waitFor({ state: 'attached' });
    await page.getByRole('complementary', { name: 'Lead' }).waitFor();
    expect(await from.getAttribute('title')).toBe(`${instanceName} · +55\u00A011\u00A095550-0100`);
    // A copy that nothing narrows is not wider.
    const widths = await page.evaluate<number[]>(
      `((field) => {
        const copy = field.cloneNode(true);
        copy.style.cssText = 'position: absolute; width: max-content';
        field.after(copy);
        const widths = [field, copy].map((one) => Math.round(one.getBoundingClientRect().width));
        copy.remove();
        return widths;
      })(document.querySelector('select[aria-label="${name}"]'))`,
    );
    expect(widths[0]).toBe(widths[1]);
    expect(opened.problems).toEqual([]);
  });
}
