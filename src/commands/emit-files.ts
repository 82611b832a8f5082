// Writes the files that the code describes: schema.graphql from the resolvers, and the dashboard for Grafana. With --check, fails when a
// committed file differs.

import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { answerArguments } from './arguments.js';
import { grafanaDashboard } from '../operations/grafana-dashboard.js';
import { resolversOf } from '../resolvers.js';
import type { Services } from '../services.js';
import { buildGraphqlSchema } from '../transport/graphql/graphql-schema.js';

// The schema's shape needs no service behind it.
const services = {} as Services;

const files = {
  'schema.graphql': `${printSchema(lexicographicSortSchema(buildGraphqlSchema(resolversOf(services))))}\n`,
  'src/operations/grafana-dashboard.json': `${JSON.stringify(grafanaDashboard, null, 2)}\n`,
};

const usage = `Usage: node dist/commands/emit-files.js [--check]

Writes ${Object.keys(files).join(' and ')}. With --check it writes nothing, and fails where one is stale.
`;
const args = process.argv.slice(2);
const answered = answerArguments(args, { usage, options: ['--check'] });
if (answered === undefined) await emit(args.includes('--check'));
else process.exitCode = answered;

async function emit(isCheck: boolean): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = resolve(name);
    if (!isCheck) {
      await writeFile(path, text);
    } else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
      process.stderr.write(`${name} is stale: run \`npm run generate\`\n`);
      process.exitCode = 1;
    }
  }
}
