// Run by `npm version`, between the new version in package.json and the commit: it updates the changelog, or refuses the version.

import { readFile, writeFile } from 'node:fs/promises';
import { changelogOf } from './changelog.js';

const path = new URL('../../src/docs/changelog.md', import.meta.url);
const version = process.env['npm_package_version'] ?? '';

try {
  const text = await readFile(path, 'utf8');
  await writeFile(path, changelogOf(text, version, new Date().toISOString().slice(0, 10)));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
