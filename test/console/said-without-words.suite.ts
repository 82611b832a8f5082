// What is said without words, in a browser: placeholders that are filled, and words that may ask to stop.

import { randomUUID } from 'node:crypto';
import { plainNumber } from '../features/messages/sending-harness.js';
import { sharedApp } from '../support/shared-app.js';
import { withKey } from '../support/test-app.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { openConsole, operatorOf } from './browser.js';

export function describeSaidWithoutWords(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let from: string;

  beforeAll(async () => {
    app = await sharedApp();
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    from = plainNumber();
  });

  /** @returns the lead's id */
  async function write(said: object): Promise<string> {
    const message = { messageId: randomUUID(), from, name: 'Ana', ...said };
    const answer = await app.post('/webhooks/chat/gateway/inbound', message, withKey(tenant));
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { results: { leadId: string }[] }).results[0]!.leadId;
  }

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

  test('words that may ask to stop offer the opt-out, which asks for the reason first', async () => {
    const leadId = await write({ text: 'please stop now' });
    await using opened = await openConsole(app, operatorOf(tenant), `/inbox/${leadId}`);
    const { page } = opened;
    const log = page.getByRole('log', { name: 'Messages' });
    await log.getByText('May want no more messages.').waitFor();
    await log.getByRole('button', { name: 'Opt out…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Opt out' });
    expect(await dialog.getByRole('textbox').inputValue()).toBe('Wrote: please stop now');
    await dialog.getByRole('button', { name: 'Opt out' }).click();
    await page.getByText(/^Opted out on /u).waitFor();
    await log.getByText('May want no more messages.').waitFor({ state: 'detached' });
    expect(opened.problems).toEqual([]);
  });
}
