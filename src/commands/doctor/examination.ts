// `npm run doctor` on a Node that is new enough: reads the environment, runs every check, prints the findings.

import { parseArgs } from 'node:util';
import { inspectConfig } from '../../config/config.js';
import { migrationsDir, productVersion } from '../../config/product.js';
import { reasonOf } from '../../platform/observability/fault.js';
import { runChecks, type Check, type CheckedFinding } from './check.js';
import { databaseChecks } from './database-checks.js';
import { providerChecks } from './provider-checks.js';
import { redisCheck } from './redis-check.js';
import { secretMask } from './secret-mask.js';
import { configurationCheck, gatewayCheck, mediaStoreCheck, nodeCheck, publicUrlCheck } from './surroundings-checks.js';

const defaultTimeLimitMs = 15_000;

const usage = `Usage: npm run doctor [-- --json]

Checks the configuration of this environment, and everything it leads to. Changes nothing. Exits with 1 where a check
has failed.

  --json  prints one JSON object
`;

type Environment = Readonly<Record<string, string | undefined>>;

/** @param timeLimitMs of each check @returns the exit code: 0 without a failed check, 1 with one, 2 for wrong arguments */
export async function examine(
  args: string[],
  environment: Environment,
  write: (text: string) => void,
  timeLimitMs = defaultTimeLimitMs,
): Promise<number> {
  let options: { json: boolean; help: boolean };
  try {
    options = optionsOf(args);
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n\n${usage}`);
    return 2;
  }
  if (options.help) {
    write(usage);
    return 0;
  }
  const { config, problems, environment: filled } = inspectConfig(environment);
  const checks: Check[] = [
    nodeCheck(),
    configurationCheck(environment, problems),
    ...databaseChecks(config, migrationsDir),
    redisCheck(config.redisUrl, config.environment === 'production'),
    ...providerChecks(config),
    gatewayCheck(config),
    mediaStoreCheck(config),
    publicUrlCheck(config),
  ];
  const mask = secretMask(filled);
  const findings: CheckedFinding[] = [];
  // Findings are printed in the order of the checks, each as soon as it and the ones before it are known.
  for (const running of runChecks(checks, { wrong: new Set(problems.map(({ name }) => name)), timeLimitMs }))
    for (const finding of await running) {
      const shown = { ...finding, found: mask(finding.found), ...masked(finding.advice, mask) };
      findings.push(shown);
      if (!options.json) write(linesOf(shown));
    }
  const isWell = findings.every(({ status }) => status !== 'failed');
  if (options.json) write(`${JSON.stringify({ ok: isWell, version: productVersion, findings }, null, 2)}\n`);
  else write(summaryOf(findings));
  return isWell ? 0 : 1;
}

function optionsOf(args: string[]): { json: boolean; help: boolean } {
  const { json = false, help = false } = parseArgs({
    args,
    options: { json: { type: 'boolean' }, help: { type: 'boolean' } },
  }).values;
  return { json, help };
}

function masked(advice: string | undefined, mask: (text: string) => string): { advice?: string } {
  return advice === undefined ? {} : { advice: mask(advice) };
}

function linesOf({ check, status, found, advice }: CheckedFinding): string {
  const line = `${status.padEnd(8)} ${check}: ${found}\n`;
  return advice === undefined ? line : `${line}${' '.repeat(9)}${advice}\n`;
}

function summaryOf(findings: readonly CheckedFinding[]): string {
  const count = (status: string) => findings.filter((finding) => finding.status === status).length;
  return `\n${count('ok')} ok, ${count('warning')} warnings, ${count('failed')} failed\n`;
}
