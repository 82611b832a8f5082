// The product's own folder, and its version as package.json has it.

import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

// Sources and built files lie at different depths below the folder.
const manifestFile = findPackageJSON(import.meta.url) ?? join(process.cwd(), 'package.json');

/** The folder that holds package.json, `prisma` and `dist`. */
export const productFolder = dirname(manifestFile);
/** The folder of the migrations, one folder each. */
export const migrationsDir = join(productFolder, 'prisma/migrations');

export const productVersion = (JSON.parse(readFileSync(manifestFile, 'utf8')) as { version: string }).version;
