// Looks at a page at rest with axe, in either theme.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { settled } from './browser.js';

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[];
}

const maxLooks = 5;
let source: Promise<string> | undefined;

/** Switches the theme and waits until the page follows: the browser acknowledges the order before that. */
export async function switchTheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction(`matchMedia('(prefers-color-scheme: ${colorScheme})').matches`);
}

/** Only these rules look at colors, which the theme changes. */
const rulesOfColors = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** Looks with all rules while the page is light, and then with those of colors while it is dark. It is light again afterwards. */
export async function violationsInBothThemes(page: Page): Promise<Record<'light' | 'dark', string[]>> {
  await switchTheme(page, 'light');
  const light = await violationsIn(page);
  await switchTheme(page, 'dark');
  const dark = await violationsIn(page, rulesOfColors);
  await switchTheme(page, 'light');
  return { light, dark };
}

/**
 * Lists violations that remain once the page is at rest: a list hides its rows until it has measured them.
 * @param rules options of `axe.run`
 * @returns each violation with the element; none where the page is right
 */
export async function violationsIn(page: Page, rules: object = {}): Promise<string[]> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if (await page.evaluate("!('axe' in window)")) await page.evaluate(await source);
  for (let look = 1; ; look += 1) {
    const found = await violationsNow(page, rules);
    if (found.length === 0 || look === maxLooks) return found;
    await settled(page);
    await page.waitForTimeout(500);
  }
}

async function violationsNow(page: Page, rules: object): Promise<string[]> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
  const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${options})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
