// Writes schema.graphql from the resolvers; with --check, fails when the committed file differs.

import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { resolversOf } from '../resolvers.js';
import type { Services } from '../services.js';
import { buildGraphqlSchema } from '../transport/graphql/graphql-schema.js';

const path = resolve('schema.graphql');

// The schema's shape needs no service behind it.
const services = {} as Services;
const schema = `${printSchema(lexicographicSortSchema(buildGraphqlSchema(resolversOf(services))))}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(path, schema);
} else if ((await readFile(path, 'utf8').catch(() => '')) !== schema) {
  process.stderr.write('schema.graphql is stale: run `npm run generate`\n');
  process.exitCode = 1;
}
