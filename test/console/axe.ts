// What axe finds in a page as it is now.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[];
}

let source: Promise<string> | undefined;

/** @returns each violation with the element; none where the page is right */
export async function violationsIn(page: Page): Promise<string[]> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(await source);
  const { violations } = await page.evaluate<AxeResult>(`axe.run(document, { resultTypes: ['violations'] })`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
