// A gateway that does not answer is said where people look: at the message, at the text field, and with another number to answer from.

import { randomInt } from 'node:crypto';
import { startGatewaySimulator, type GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { gatewayToken, plainNumber, startSender, untilRetried } from '../features/messages/sending-harness.js';
import { steadyPort } from '../support/redis-server.js';
import { serviceOperator, type TestApp, type TestTenant } from '../support/test-app.js';
import { violationsInBothThemes } from './axe.js';
import { openConsole, operatorOf, passHold } from './browser.js';
import { articleOf, fieldOf, seeStatus } from './operators-day.suite.js';

export function describeGatewayTrouble(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  let port: number;

  beforeAll(async () => {
    port = await steadyPort();
    simulator = await startGateway();
    app = await startSender(simulator);
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    simulator.reportTo({ webhookBaseUrl: app.url, tenantKey: tenant.apiKey }, tenant.instance.name);
  });
  afterAll(async () => {
    await app.stop();
    await simulator.close();
  });

  const startGateway = () =>
    startGatewaySimulator({ token: gatewayToken, seed: randomInt(1_000_000), port, defaults: { replyRate: 0 } });

  test('a gateway that is gone is said at the message and at the text field, and is forgotten once it is back', async () => {
    const { name } = tenant.instance;
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    const { accountId } = tenant.admin;
    await app.app.services.chatInstances.create(serviceOperator, { accountId, instanceName: 'spare' }, place);
    await simulator.receiveFromLead({ instance: name, from: plainNumber(), name: 'Ana', text: 'Oi' });
    await simulator.close();

    await using opened = await openConsole(app, operatorOf(tenant), '/inbox?view=all', { clock: true });
    const { page } = opened;
    await page.getByRole('option', { name: 'Ana' }).click();
    await fieldOf(page).fill('Bom dia');
    await page.keyboard.press('Enter');
    await articleOf(page, 'Bom dia').waitFor();
    await passHold(page);
    const note = page.getByRole('region', { name: 'Composer' }).getByRole('note');
    await untilRetried(
      app,
      tenant,
      () => note.count(),
      (count) => count === 1,
    );
    await note.getByText(`${name} does not answer since`).waitFor();
    // Reasons are read again after five seconds of the page's time.
    await passHold(page);
    await articleOf(page, 'Bom dia').getByText(`${name} does not answer. Next try at`).waitFor();
    await articleOf(page, 'Bom dia').getByRole('button', { name: 'Cancel' }).waitFor();
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });

    await note.getByRole('button', { name: 'Try now' }).click();
    await page.getByText(`One message is tried now. Once ${name} takes it, the others follow.`).waitFor();
    await note.getByRole('link', { name: 'Show what waits' }).click();
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    await card.getByRole('button', { name: 'Try now' }).waitFor();
    await card.getByRole('link', { name: 'Ana' }).waitFor();
    expect(await violationsInBothThemes(page)).toEqual({ light: [], dark: [] });
    await card.getByRole('button', { name, expanded: true }).click();
    await card.getByRole('button', { name: 'Show it' }).click();
    await card.getByRole('link', { name: 'Ana' }).click();

    await page.getByRole('button', { name: 'Reply as spare instead' }).click();
    await note.waitFor({ state: 'detached' });
    expect(await page.getByRole('combobox', { name: 'Send from' }).locator('option:checked').textContent()).toBe(
      'spare',
    );
    await page.getByRole('combobox', { name: 'Send from' }).selectOption({ label: name });
    await note.waitFor();

    simulator = await startGateway();
    simulator.reportTo({ webhookBaseUrl: app.url, tenantKey: tenant.apiKey }, name);
    await untilRetried(
      app,
      tenant,
      () => note.count(),
      (count) => count === 0,
    );
    await seeStatus(page, 'Bom dia', 'Read');
    expect(opened.problems).toEqual([]);
  });
}
