// The version of the product, as package.json has it.

import { readFileSync } from 'node:fs';

// The path is the same from src and from dist.
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const productVersion = manifest.version;
