// Two operators answer the same few leads while customers go on writing: no answer leaves past a message that its author has not been
// shown. The test compares each window's messages with the order in the database. TWO_BROWSERS_MINUTES sets the time.

import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startGatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { createLead, gatewayToken, plainNumber, startSender, until } from '../features/messages/sending-harness.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { adminOf, describeInBrowser, openConsole, operatorOf } from './browser.js';
import { fieldOf, logOf } from './operators-day.suite.js';

const minutes = Number(process.env['TWO_BROWSERS_MINUTES'] ?? 1);
/** The customers' messages per minute for all leads: each lead gets about one in the time for which an answer is held. */
const customersPerMinute = 60;
const leadCount = 5;
/** The most held answers to one lead: as many as are in view. */
const maxHeld = 2;
const betweenAnswersMs = 1_000;
/** The time in ms for the start, and for settling the last answers. */
const aroundMs = 240_000;

/** An answer, and the messages that its window showed near the newest. The window's own held messages are left out. */
interface Given {
  text: string;
  seen: string[];
}

/** An event of the log. Events have the order in which they were committed. */
interface Told {
  type: 'MESSAGE_RECEIVED' | 'MESSAGE_CREATED';
  leadId: string;
  messageId: string;
  body: string;
}

/** Records an answer at Enter in the composer and at `Answer anyway`, before the page handles it. */
const recordAnswers = `window.given = [];
  const shown = () =>
    [...document.querySelectorAll('[role=log] article[data-message]:not([data-held])')].map(({ dataset }) => dataset.message);
  addEventListener('keydown', ({ key, target }) => {
    if (key === 'Enter' && target.matches('textarea')) window.given.push({ text: target.value, seen: shown() });
  }, { capture: true });
  addEventListener('click', ({ target }) => {
    const button = target.closest('button');
    if (button?.textContent !== 'Answer anyway') return;
    window.given.push({ text: button.closest('article').querySelector('p[dir=auto]').textContent, seen: shown() });
  }, { capture: true });`;

describeInBrowser('two browsers', () => {
  test(
    `${minutes} minutes at the same leads: no second answer past an unread one is ever sent`,
    async () => {
      await using resources = new AsyncDisposableStack();
      const simulator = await startGatewaySimulator({ token: gatewayToken, seed: 1, customersPerMinute });
      resources.defer(() => simulator.close());
      const app = await startSender(simulator);
      resources.defer(() => app.stop());
      const tenant = await app.createTenant();
      const instance = tenant.instance.name;
      simulator.reportTo({ webhookBaseUrl: app.url, tenantKey: tenant.apiKey });
      const people = Array.from({ length: leadCount }, (_, index) => ({
        number: plainNumber(),
        name: `Lead ${index}`,
      }));
      const leadIds = await Promise.all(people.map(({ number }) => createLead(app, tenant, number)));
      for (const { number, name } of people)
        await simulator.receiveFromLead({ instance, from: number, name, text: 'Good morning' });
      simulator.introduce(people.map((person) => ({ instance, ...person, language: 'en' as const })));

      const windows = [operatorOf(tenant), adminOf(tenant)].map((user) =>
        openConsole(app, user, '/inbox?view=all', { record: recordAnswers }),
      );
      const [one, other] = await Promise.all(windows);
      if (one === undefined || other === undefined) throw new Error('no window');
      resources.use(one);
      resources.use(other);
      const endsAt = Date.now() + minutes * 60_000;
      const conflicts = await Promise.all(
        [one, other].map(({ page }, index) => answerUntil(page, { leadIds, name: 'ab'[index] ?? '', endsAt })),
      );
      const given = await Promise.all([one, other].map(({ page }) => page.evaluate<Given[]>('window.given')));

      const told = await readTold(app, tenant);
      const problems = given.flatMap((answers, index) => verdict(answers, told, 'ab'[index] ?? ''));
      expect(problems).toEqual([]);
      const sent = told.filter(({ body }) => body.startsWith('answer-'));
      const texts = new Set(given.flat().map(({ text }) => text));
      process.stdout.write(
        `${texts.size} answers written, ${sent.length} sent, ${conflicts.reduce((sum, count) => sum + count, 0)} refused at first, ` +
          `${told.filter(({ type }) => type === 'MESSAGE_RECEIVED').length} messages of customers\n`,
      );
      expect(new Set(sent.map(({ body }) => body)).size).toBe(sent.length);
      expect(sent.length).toBeGreaterThan(minutes * 4);
      // At least one conflict per window shows that refusals were tried.
      expect(conflicts.every((count) => count > 0)).toBe(true);
      for (const { problems: seen } of [one, other]) expect(seen).toEqual([]);
    },
    minutes * 60_000 + aroundMs,
  );
});

interface Answering {
  leadIds: readonly string[];
  name: string;
  endsAt: number;
}

/** @returns the number of answers that were refused because a message had come that was not shown */
async function answerUntil(page: Page, { leadIds, name, endsAt }: Answering): Promise<number> {
  await page.getByRole('option').first().waitFor();
  let refused = 0;
  for (let count = 0; Date.now() < endsAt; count += 1) {
    await open(page, leadIds[randomInt(leadIds.length)] ?? '');
    refused += await settleRefused(page, 'any');
    // The user waits instead of writing without end past answers that have not left.
    if ((await held(page).count()) >= maxHeld) continue;
    await fieldOf(page).fill(`answer-${name}-${count}`);
    await page.keyboard.press('Enter');
    await delay(betweenAnswersMs);
  }
  // Each answer that is still held leaves or is refused.
  for (const leadId of leadIds) {
    await open(page, leadId);
    // A refused answer holds those behind it.
    await until(
      async () => {
        refused += await settleRefused(page, 'discard');
        return held(page).count();
      },
      (count) => count === 0,
    );
  }
  return refused;
}

const held = (page: Page) => logOf(page).locator('article[data-held="held"], article[data-held="sending"]');

async function open(page: Page, leadId: string): Promise<void> {
  // A row that moves between press and release takes no click, and a person clicks again.
  const clickAndLook = async () => {
    await page.locator(`#conversation-${leadId}`).click();
    const isThere = page.waitForURL((url) => url.pathname === `/inbox/${leadId}`, { timeout: 2_000 });
    return isThere.then(() => true).catch(() => false);
  };
  await until(clickAndLook, (isOpen) => isOpen);
  await logOf(page).getByRole('article').first().waitFor();
  await fieldOf(page).waitFor();
}

/**
 * Sends each refused answer all the same, now that the rest is shown, or discards it.
 * @param how `discard` gives all of them up at the end, because customers go on
 */
async function settleRefused(page: Page, how: 'any' | 'discard'): Promise<number> {
  const again = page.getByRole('button', { name: 'Answer anyway' });
  let count = 0;
  while ((await again.count()) > 0) {
    const button = how === 'any' && randomInt(2) === 0 ? again : page.getByRole('button', { name: 'Discard' });
    // The answer may go in this moment, and the one that waited behind it may be refused next.
    const isPressed = await button
      .first()
      .click({ timeout: 2_000 })
      .then(
        () => true,
        () => false,
      );
    if (isPressed) count += 1;
  }
  return count;
}

/**
 * Reads the order from the log of events: an answer and the message before it wait for each other at the row of the lead. Notices of the
 * network are left out: they ask for no answer, and an answer may pass them.
 */
function readTold(app: TestApp, { id }: TestTenant): Promise<Told[]> {
  return app.sql<Told>(
    `SELECT e.type, e.lead_id AS "leadId", e.message_id AS "messageId", coalesce(m.body, '') AS body
     FROM events e JOIN messages m ON m.tenant_id = e.tenant_id AND m.id = e.message_id
     WHERE e.tenant_id = $1 AND e.type IN ('MESSAGE_RECEIVED', 'MESSAGE_CREATED') AND NOT m.is_notice ORDER BY e.seq`,
    [id],
  );
}

/**
 * Finds the answers that passed an unseen message. The message recorded directly before an answer was shown to its author, or is the
 * author's own. It need not be the last one shown: of two messages that come in together, the second may be recorded first.
 */
function verdict(given: readonly Given[], told: readonly Told[], name: string): string[] {
  const seenAt = Map.groupBy(given, ({ text }) => text);
  return told.flatMap(({ body, leadId }, index) => {
    if (!body.startsWith(`answer-${name}-`)) return [];
    const before = told.slice(0, index).findLast((one) => one.leadId === leadId);
    const isOwn = before?.body.startsWith(`answer-${name}-`) === true;
    const wasSeen = (seenAt.get(body) ?? []).some(
      ({ seen }) => before !== undefined && seen.includes(before.messageId),
    );
    return isOwn || wasSeen ? [] : [`${body} stands behind "${before?.body}", which its author was not shown`];
  });
}
