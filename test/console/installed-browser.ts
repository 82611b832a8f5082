// Finds the Chromium that is installed.

import { existsSync } from 'node:fs';

const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export const installedBrowser: string | undefined = places.find((path) => existsSync(path));

/** @throws Error if none is installed */
export function findBrowser(): string {
  if (installedBrowser === undefined) throw new Error(`No Chromium is installed: looked for ${places.join(', ')}`);
  return installedBrowser;
}
