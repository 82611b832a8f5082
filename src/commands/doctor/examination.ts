// `npm run doctor` on a Node that is new enough: reads the environment, runs every check, prints the findings.

import { parseArgs } from 'node:util';
import { inspectConfig } from '../../config/config.js';
import { migrationsDir, productVersion } from '../../config/product.js';
import { reasonOf } from '../../platform/observability/fault.js';
import { BackupDrill, stepLimitMs, type BackupOptions } from './backup/backup-drill.js';
import { metricsCheck } from './backup/backup-metrics.js';
import { runChecks, type Check, type CheckedFinding } from './check.js';
import { databaseChecks } from './database-checks.js';
import { providerChecks } from './provider-checks.js';
import { redisCheck } from './redis-check.js';
import { secretMask } from './secret-mask.js';
import {
  configurationCheck,
  gatewayCheck,
  mediaStoreCheck,
  nodeCheck,
  publicUrlCheck,
  webPushCheck,
} from './surroundings-checks.js';

const defaultTimeLimitMs = 15_000;

const usage = `Usage: npm run doctor [-- --json]
       npm run doctor -- --backup [--stanza <name>] [--pgbackrest-config <path>] [--postgres <folder>] [--metrics <path>]

Checks the configuration of this environment, and everything it leads to. Changes nothing. Exits with 1 where a check
has failed.

  --json                      prints one JSON object
  --backup                    restores the newest backup of pgBackRest into a scratch server, examines it there, and
                              removes it. Needs room for it in TMPDIR
  --stanza <name>             pgBackRest's stanza. Default: PGBACKREST_STANZA, or the only one
  --pgbackrest-config <path>  default: PGBACKREST_CONFIG, or pgBackRest's own
  --postgres <folder>         PostgreSQL's programs. Default: Debian's, for the backup's version
  --metrics <path>            is written with the result, for the textfile collector of node_exporter
`;

type Environment = Readonly<Record<string, string | undefined>>;

/** @param timeLimitMs of each check @returns the exit code: 0 without a failed check, 1 with one, 2 for wrong arguments */
export async function examine(
  args: string[],
  environment: Environment,
  write: (text: string) => void,
  timeLimitMs = defaultTimeLimitMs,
): Promise<number> {
  let options: Options;
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
  const inspected = inspectConfig(environment);
  const findings =
    options.backup === undefined
      ? await examineSurroundings(inspected, environment, options, write, timeLimitMs)
      : await examineBackup(inspected, environment, { ...options, backup: options.backup }, write);
  const isWell = isAllWell(findings);
  if (options.json) write(`${JSON.stringify({ ok: isWell, version: productVersion, findings }, null, 2)}\n`);
  else write(summaryOf(findings));
  return isWell ? 0 : 1;
}

function examineSurroundings(
  inspected: Inspected,
  environment: Environment,
  options: Options,
  write: (text: string) => void,
  timeLimitMs: number,
): Promise<CheckedFinding[]> {
  const { config, problems } = inspected;
  const checks: Check[] = [
    nodeCheck(),
    configurationCheck(environment, problems),
    ...databaseChecks(config, migrationsDir),
    redisCheck(config.redisUrl, config.environment === 'production'),
    ...providerChecks(config),
    gatewayCheck(config),
    mediaStoreCheck(config),
    publicUrlCheck(config),
    webPushCheck(config),
  ];
  return runAndWrite(checks, inspected, options, write, timeLimitMs);
}

/** Also where it is interrupted, nothing of what was restored stays. */
async function examineBackup(
  inspected: Inspected,
  environment: Environment,
  options: Options & { backup: BackupOptions },
  write: (text: string) => void,
): Promise<CheckedFinding[]> {
  const drill = new BackupDrill(inspected.config, options.backup);
  // npm passes on the signal that the terminal has sent as well: a second one must not end the removal.
  const interrupt = () => void drill.close().finally(() => process.exit(130));
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const checks = [configurationCheck(environment, inspected.problems), ...drill.checks()];
    const findings = await runAndWrite(checks, inspected, options, write, stepLimitMs);
    const { restorableAt } = drill;
    // A drill that was interrupted says nothing of the backup.
    if (options.metrics === undefined || drill.isClosed) return findings;
    const result = { restorableAt, isWell: isAllWell(findings), endedAt: new Date() };
    return [...findings, ...(await runAndWrite([metricsCheck(options.metrics, result)], inspected, options, write))];
  } finally {
    await drill.close();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Findings are written in the order of the checks, each as soon as it and the ones before it are known. */
async function runAndWrite(
  checks: readonly Check[],
  { problems, environment: filled }: Inspected,
  { json }: Options,
  write: (text: string) => void,
  timeLimitMs = defaultTimeLimitMs,
): Promise<CheckedFinding[]> {
  const mask = secretMask(filled);
  const findings: CheckedFinding[] = [];
  for (const running of runChecks(checks, { wrong: new Set(problems.map(({ name }) => name)), timeLimitMs }))
    for (const finding of await running) {
      const shown = { ...finding, found: mask(finding.found), ...masked(finding.advice, mask) };
      findings.push(shown);
      if (!json) write(linesOf(shown));
    }
  return findings;
}

const isAllWell = (findings: readonly CheckedFinding[]) => findings.every(({ status }) => status !== 'failed');

type Inspected = ReturnType<typeof inspectConfig>;

interface Options {
  json: boolean;
  help: boolean;
  /** Set for a drill of the backup. */
  backup: BackupOptions | undefined;
  metrics: string | undefined;
}

function optionsOf(args: string[]): Options {
  const flag = { type: 'boolean' } as const;
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      json: flag,
      help: flag,
      backup: flag,
      stanza: text,
      'pgbackrest-config': text,
      postgres: text,
      metrics: text,
    },
  });
  const { json = false, help = false, backup: isDrill = false, metrics, stanza, postgres: binaries } = values;
  const backup = { stanza, configFile: values['pgbackrest-config'], binaries };
  const stray = ['stanza', 'pgbackrest-config', 'postgres', 'metrics'].find((name) => name in values);
  if (!isDrill && stray !== undefined) throw new Error(`--${stray} belongs to --backup`);
  return { json, help, backup: isDrill ? backup : undefined, metrics };
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
