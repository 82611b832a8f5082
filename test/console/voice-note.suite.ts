// A voice note is recorded, heard and sent. The browser plays the microphone.

import type { Page } from 'playwright-core';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { withTenantEach } from '../support/shared-app.js';
import { slow } from '../support/slow.js';
import { type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { openConsole, operatorOf } from './browser.js';
import { fieldOf } from './operators-day.suite.js';
import { hear } from '../features/leads/conversation-harness.js';

export function describeVoiceNote(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const come = async (name: string) => {
    return (await hear(app, tenant, plainNumber(), { name, text: 'Oi' })).leadId;
  };
  const open = (path: string) => openConsole(app, operatorOf(tenant), path);
  const record = (page: Page) => page.getByRole('button', { name: 'Record a voice note' }).click();
  const strip = (page: Page) => page.getByRole('group', { name: 'Recording a voice note' });
  const recordFor = async (page: Page, seconds: string) => {
    await record(page);
    await strip(page).getByRole('timer').filter({ hasText: seconds }).waitFor();
  };
  const heard = (page: Page) => page.getByRole('region', { name: 'Composer' }).locator('audio');
  const lengthOf = async (page: Page) =>
    heard(page).evaluate((audio) => (audio as unknown as { duration: number }).duration);
  const filesOf = () =>
    app.sql<{ id: string; mimeType: string; name: string }>(
      'SELECT id, mime_type AS "mimeType", file_name AS name FROM media_files WHERE tenant_id = $1',
      [tenant.id],
    );

  slow('it is recorded, heard and sent as Ogg; a text goes before it', async () => {
    const leadId = await come('Ana');
    await using opened = await open(`/inbox/${leadId}`);
    const { page } = opened;
    await fieldOf(page).fill('Listen:');
    await recordFor(page, '0:02');
    expect(await strip(page).getByRole('meter', { name: 'Loudness' }).count()).toBe(1);
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    await strip(page).getByRole('button', { name: 'Stop' }).click();
    await heard(page).waitFor();
    await until(
      () => lengthOf(page),
      (seconds) => seconds > 1.5 && Number.isFinite(seconds),
    );
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    const [file] = await filesOf();
    expect(file).toMatchObject({
      mimeType: 'audio/ogg; codecs=opus',
      name: expect.stringMatching(/^Voice note .*\.ogg$/),
    });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const sent = () =>
      app.sql<{ type: string; body: string | null; media: { mimeType?: string } | null }>(
        "SELECT type, body, media FROM messages WHERE lead_id = $1 AND direction = 'OUTBOUND' ORDER BY id",
        [leadId],
      );
    const messages = await until(sent, (all) => all.length === 2);
    expect(messages).toMatchObject([
      { type: 'text', body: 'Listen:' },
      { type: 'audio', body: null, media: { mimeType: 'audio/ogg; codecs=opus' } },
    ]);
    expect(opened.problems).toEqual([]);
  });

  slow('a canceled one leaves nothing, and the microphone', async () => {
    await using opened = await open(`/inbox/${await come('Ana')}`);
    const { page } = opened;
    await recordFor(page, '0:01');
    await strip(page).getByRole('button', { name: 'Cancel recording' }).click();
    await strip(page).waitFor({ state: 'detached' });
    expect(await heard(page).count()).toBe(0);
    expect(await filesOf()).toEqual([]);
    await record(page);
    await strip(page).getByRole('timer').filter({ hasText: '0:01' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  test('what was recorded stays with its conversation when another one is opened', async () => {
    const [first, second] = [await come('Ana'), await come('Bia')];
    await using opened = await open(`/inbox/${first}?view=all`);
    const { page } = opened;
    await recordFor(page, '0:01');
    await page.getByRole('option', { name: 'Bia' }).click();
    await page.waitForURL(`**/inbox/${second}*`);
    await until(filesOf, (files) => files.length === 1);
    expect(await heard(page).count()).toBe(0);
    await page.getByRole('option', { name: 'Ana' }).click();
    await heard(page).waitFor();
    expect(await strip(page).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  slow.each([
    ['NotAllowedError', 'The browser may not use the microphone.'],
    ['NotFoundError', 'No microphone was found.'],
    ['NotSupportedError', 'This browser cannot record here.'],
    ['NotReadableError', 'Another program uses the microphone.'],
  ])('a microphone that says %s is told in words', async (name, words) => {
    await using opened = await open(`/inbox/${await come('Ana')}`);
    const { page } = opened;
    await page.evaluate(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', '${name}'))`,
    );
    await record(page);
    await page.getByText(words).waitFor();
    expect(await strip(page).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  test('the page alone may use the microphone, and neither camera nor place', async () => {
    const answer = await app.get('/inbox');
    expect(answer.headers.get('permissions-policy')).toBe(
      'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
    );
  });
}
