// Compares the rows that the console shows after a long time with the stored ones: none may be missing, doubled or out of order.

import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { withClient } from './postgres.js';
import type { Product } from './product.js';

const newestMessages = 300;
/** The wait until the last event has come. */
const settleMs = 3_000;

export interface ConfirmedRows {
  messages: number;
  conversations: number;
}

/** Compares the page as its user sees it. @param body of the page's own query for its list @throws Error for the first difference */
export async function confirmRows(page: Page, product: Product, leadId: string, body: string): Promise<ConfirmedRows> {
  await delay(settleMs);
  const stored = await withClient(product.databaseUrl, (client) =>
    client.query<{ id: string }>('SELECT id FROM messages WHERE lead_id = $1 ORDER BY id DESC LIMIT $2', [
      leadId,
      newestMessages,
    ]),
  );
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${product.tenant.token}` };
  const answer = await fetch(`${product.url}/graphql`, { method: 'POST', headers, body });
  const { data } = (await answer.json()) as { data: { inbox: { edges: { node: { id: string } }[] } } };
  if (stored.rows.length < newestMessages) throw new Error('The open conversation did not get the messages');
  const messages = stored.rows.map(({ id }) => id).toReversed();
  const conversations = data.inbox.edges.map(({ node }) => `conversation-${node.id}`);
  const shown = { log: '[role=log] [data-message]', list: '[role=listbox] [role=option]' };
  const texts = await page.evaluate<string[][]>(snapshots('[role=log]', shown.log, 'data-message', 'up'));
  compare('messages', texts, messages);
  const fresh = page.getByRole('button', { name: /^\d+ new/ });
  if (await fresh.isVisible()) await fresh.click();
  const rows = await page.evaluate<string[][]>(snapshots('[role=listbox]', shown.list, 'id', 'down'));
  compare('conversations', rows, conversations);
  return { messages: messages.length, conversations: conversations.length };
}

/** A script that scrolls by half of the view, as far as needed, and reads the rows in the document each time. */
function snapshots(frame: string, row: string, attribute: string, direction: 'up' | 'down'): string {
  return `(async () => {
    const frame = document.querySelector(${JSON.stringify(frame)});
    const taken = [];
    const isUp = ${direction === 'up'};
    frame.scrollTop = isUp ? frame.scrollHeight : 0;
    for (let still = 0, step = 0; still < 10 && step < 100; step += 1) {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60)));
      taken.push([...document.querySelectorAll(${JSON.stringify(row)})].map((each) => each.getAttribute(${JSON.stringify(attribute)})));
      const before = frame.scrollTop;
      frame.scrollTop += (isUp ? -1 : 1) * frame.clientHeight / 2;
      still = frame.scrollTop === before ? still + 1 : 0;
    }
    return taken;
  })()`;
}

function compare(what: string, taken: readonly (readonly string[])[], stored: readonly string[]): void {
  const places = new Map(stored.map((id, place) => [id, place]));
  const seen = new Set<string>();
  for (const ids of taken) {
    if (new Set(ids).size !== ids.length) throw new Error(`The console shows ${what} twice`);
    const known = ids.flatMap((id) => places.get(id) ?? []);
    if (known.some((place, index) => index > 0 && place <= (known[index - 1] ?? 0)))
      throw new Error(`The console shows ${what} in another order: ${known.join(' ')}`);
    for (const id of ids) seen.add(id);
  }
  const missing = stored.filter((id) => !seen.has(id));
  if (missing.length > 0)
    throw new Error(`The console lacks ${missing.length} of ${stored.length} ${what}: ${missing[0]}`);
}
