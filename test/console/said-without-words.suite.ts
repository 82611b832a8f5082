// Messages without words, in a browser: choices, forms, calls, notices, ads and kinds that cannot be shown. Also words that may ask to
// stop.

import { randomUUID } from 'node:crypto';
import { plainNumber } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { CreateChatInstanceDocument } from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { openConsole, operatorOf } from './browser.js';
import { hear } from '../features/leads/conversation-harness.js';

export function describeSaidWithoutWords(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let from: string;

  withTenantEach((made) => ({ app, tenant } = made));
  beforeEach(async () => {
    from = plainNumber();
  });

  /** @returns the lead's id */
  async function write(said: object): Promise<string> {
    return (await hear(app, tenant, from, { name: 'Ana', ...said })).leadId;
  }

  const ad = {
    kind: 'AD',
    sourceId: '120239177205810192',
    sourceUrl: 'https://fb.example/5z9Rw',
    headline: 'Classes are open',
    body: 'Write to us today. '.repeat(20),
  };
  const answers = {
    full_name: 'Ana dos Sinais',
    days: ['Mon', 'Tue'],
    agrees: true,
    address: { street: 'Rua das Laranjeiras', number: 12 },
  };

  /** Writes one message of each kind. @returns the lead's id */
  async function writeAll(): Promise<string> {
    const leadId = await write({ text: 'Oi', forwarded: true });
    await write({ choice: { kind: 'LIST', id: 'row-2', title: 'Evening class', description: 'From 19:00' } });
    await write({ choice: { kind: 'BUTTON', id: 'more', title: 'Tell me more' } });
    await write({ choice: { kind: 'FLOW', title: 'Sent', answers } });
    await write({ type: 'call', callId: randomUUID() });
    await write({ type: 'call', callId: randomUUID(), video: true });
    await write({ type: 'notice', notice: { kind: 'IDENTITY_CHANGED' } });
    await write({ text: 'I saw the ad', referral: ad });
    await write({ type: 'unknown' });
    await write({ text: 'please stop now' });
    const instance = { accountId: tenant.admin.accountId, instanceName: 'gateway' };
    await query(app, tenant.admin, CreateChatInstanceDocument, { input: instance });
    const answer = await app.post('/webhooks/chat/gateway/inbound', ofUnknownKind(), withKey(tenant));
    expect(await answer.json()).toMatchObject({ results: [{ leadId }] });
    return leadId;
  }

  const ofUnknownKind = () => ({
    event: 'messages.upsert',
    instance: 'gateway',
    data: {
      key: { remoteJid: `${from}@s.whatsapp.net`, fromMe: false, id: randomUUID() },
      pushName: 'Ana',
      message: { hologramMessage: { size: 3 } },
      messageType: 'hologramMessage',
      messageTimestamp: Math.floor(Date.now() / 1_000),
    },
  });

  slow('choices, answers of forms, calls, notices, ads and unknown kinds are shown as what they are', async () => {
    const leadId = await writeAll();
    // The window is high enough for the list to draw all messages.
    const viewport = { width: 1440, height: 2_400 };
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`, { viewport });
    const log = opened.page.getByRole('log', { name: 'Messages' });
    await log.getByText('A message of a kind that cannot be shown here: hologram').waitFor();
    await log.getByText('Forwarded').waitFor();
    const list = log.getByRole('group', { name: 'Picked from a list' });
    expect((await list.innerText()).split(/\n+/)).toEqual(['Picked from a list', 'Evening class', 'From 19:00']);
    expect(await log.getByText('Evening class').count()).toBe(1);
    await log.getByRole('group', { name: 'Pressed a button' }).getByText('Tell me more').waitFor();
    const rows = log.getByRole('table', { name: 'Answers' }).getByRole('row');
    expect(await rows.allInnerTexts()).toEqual([
      'full name\tAna dos Sinais',
      'days\tMon, Tue',
      'agrees\tyes',
      'address\tstreet: Rua das Laranjeiras, number: 12',
    ]);
    await log.getByText('Voice call').waitFor();
    await log.getByText('Video call').waitFor();
    const notice = log.getByRole('article', { name: /^Notice, / });
    await notice.getByText('The security code has changed').waitFor();
    expect(await notice.getByRole('button').count()).toBe(0);
    await log.getByRole('complementary', { name: 'Came through an ad' }).getByText('Classes are open').waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('axe finds nothing in them, nothing is wider than a phone, and calls and notices are in the user’s language', async () => {
    const leadId = await writeAll();
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`, {
      viewport: { width: 390, height: 2_400 },
      locale: 'pt-BR',
      reducedMotion: 'reduce',
    });
    const { page } = opened;
    const log = page.getByRole('log');
    await log.getByText('Uma mensagem de um tipo que não pode ser mostrado aqui: hologram').waitFor();
    for (const text of ['Chamada de voz', 'Chamada de vídeo', 'O código de segurança mudou'])
      await log.getByText(text).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    // The page of the lead says them in one line each, without a face.
    await page.goto(`${app.url}/leads/${leadId}`);
    const story = page.getByRole('region', { name: 'História' });
    for (const text of ['Chamada de voz', 'Chamada de vídeo', 'O código de segurança mudou'])
      await story.getByText(text, { exact: true }).first().waitFor();
    expect(opened.problems).toEqual([]);
  });

  slow('the list names a call, a placeholder, an ad and an unknown kind in the user’s language', async () => {
    await write({ type: 'unknown' });
    from = plainNumber();
    await write({ name: 'Bia', type: 'call', callId: randomUUID() });
    from = plainNumber();
    await write({ name: 'Caio', referral: ad });
    from = plainNumber();
    await write({ name: 'Dora', type: 'hologram', messageId: randomUUID() });
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox?view=all', { locale: 'es' });
    const option = (name: string) => opened.page.getByRole('option').filter({ hasText: name });
    await option('Ana').getByText('Aún no llegó por completo').waitFor();
    await option('Bia').getByText('Llamada de voz').waitFor();
    await option('Caio').getByText('Classes are open').waitFor();
    await option('Dora').getByText('Tipo desconocido: hologram').waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('a placeholder says that it waits, and is filled while it is shown', async () => {
    const messageId = randomUUID();
    const leadId = await write({ messageId, type: 'unknown' });
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`);
    const log = opened.page.getByRole('log', { name: 'Messages' });
    await log.getByText('This message has not fully arrived').waitFor();
    await opened.page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await write({ messageId, text: 'Here it is' });
    await log.getByText('Here it is').waitFor();
    expect(await log.getByText('This message has not fully arrived').count()).toBe(0);
    expect(await log.getByRole('article').count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  slow('a call that is reported late says when it was made', async () => {
    const madeAt = new Date(Date.now() - 3 * 86_400_000);
    const leadId = await write({ type: 'call', callId: randomUUID(), timestamp: Math.floor(madeAt.getTime() / 1_000) });
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`);
    const call = opened.page.getByRole('log', { name: 'Messages' }).getByRole('article');
    await call.getByText('Voice call').waitFor();
    const shown = await call.locator('time').getAttribute('datetime');
    expect(Math.floor(Date.parse(shown ?? '') / 1_000)).toBe(Math.floor(madeAt.getTime() / 1_000));
    expect(opened.problems).toEqual([]);
  });

  slow('words that may ask to stop offer the opt-out, which asks for the reason first', async () => {
    const leadId = await write({ text: 'please stop now' });
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`);
    const { page } = opened;
    const log = page.getByRole('log', { name: 'Messages' });
    await log.getByText('May want no more messages.').waitFor();
    await log.getByRole('button', { name: 'Opt out…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Opt out', exact: true });
    expect(await dialog.getByRole('textbox').inputValue()).toBe('Wrote: please stop now');
    await dialog.getByRole('button', { name: 'Opt out' }).click();
    await page.getByText(/^Opted out on /u).waitFor();
    await log.getByText('May want no more messages.').waitFor({ state: 'detached' });
    expect(opened.problems).toEqual([]);
  });
}
