// The generated parts of the documents: tables of variables, metrics, alerts, and of the simulator's knobs, special numbers and players.

import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { metaErrors } from '../../src/providers/meta/error.js';
import { configVariables } from '../../src/config/variables.js';
import { errorExplanations } from '../../src/platform/error-explanations.js';
import { errorTable, type ErrorCode } from '../../src/platform/errors.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { backupSeries } from '../../src/commands/doctor/backup/backup-metrics.js';
import { knobRows, playerRows, specialCaseRows } from './knob-table.js';

interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

/** Every generated block by its name. */
export async function generateBlocks(): Promise<Map<string, string>> {
  return new Map([
    ['configuration', table(['variable', 'default', 'meaning'], variableRows())],
    ['metrics', table(['metric', 'type', 'labels', 'meaning'], metricRows())],
    ['backup-metrics', table(['series', 'meaning'], backupRows())],
    ['alerts', (await readAlerts()).map(describeAlert).join('\n\n')],
    ['knobs', table(['knob', 'meaning', 'bounds', 'default'], knobRows())],
    ['error-codes', table(['code', 'HTTP', 'repeat?'], errorCodes.map(errorRow))],
    ['error-sections', errorCodes.map(describeError).join('\n\n')],
    ['meta-errors', table(['code', 'kind', 'meaning', 'what to do'], metaErrorRows())],
    ['players', table(['player', 'variants', 'what happens', 'it arrives as', 'dresses'], playerRows())],
    ['special-numbers', table(['ends in', 'name', 'what happens'], specialCaseRows())],
  ]);
}

function table(columns: readonly string[], rows: readonly string[]): string {
  return [`| ${columns.join(' | ')} |`, `|${columns.map(() => '---|').join('')}`, ...rows].join('\n');
}

const errorCodes = Object.keys(errorTable) as ErrorCode[];

function errorRow(code: ErrorCode): string {
  return `| [\`${code}\`](#${code.toLowerCase()}) | ${errorTable[code].status} | ${errorExplanations[code].repeat} |`;
}

/** The heading of a section is the code, which the type of a problem leads to. */
function describeError(code: ErrorCode): string {
  const { meaning, why, action, repeat } = errorExplanations[code];
  const repeats = `- **Repeat:** ${repeat}${repeat.endsWith('…') ? '' : '.'}`;
  return `## ${code}\n\n${meaning}\n\n- **Why:** ${why}\n- **What to do:** ${action}\n${repeats}`;
}

function metaErrorRows(): string[] {
  return [...metaErrors].map(
    ([code, { kind, meaning, advice }]) => `| \`${code}\` | ${kind} | ${meaning} | ${advice} |`,
  );
}

function variableRows(): string[] {
  return Object.entries(configVariables).map(
    ([name, { default: value, meaning }]) => `| \`${name}\` | ${value} | ${meaning} |`,
  );
}

function backupRows(): string[] {
  return Object.entries(backupSeries).map(([name, help]) => `| \`${name}\` | ${help} |`);
}

function metricRows(): string[] {
  return new Metrics().list().map(({ name, type, labels, help }) => {
    const named = labels.length === 0 ? '–' : labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${type} | ${named} | ${help} |`;
  });
}

async function readAlerts(): Promise<AlertRule[]> {
  const text = await readFile(new URL('../../src/operations/alerts.yml', import.meta.url), 'utf8');
  return (parse(text) as { groups: { rules: AlertRule[] }[] }).groups.flatMap(({ rules }) => rules);
}

function describeAlert({ alert, expr, for: duration, labels, annotations }: AlertRule): string {
  const after = duration === undefined ? 'at once' : `after ${duration}`;
  const summary = annotations.summary.replaceAll(/\{\{\s*\$(?:labels\.)?(\w+)[^}]*\}\}/g, '*$1*');
  return [
    `### ${alert}`,
    `${labels.severity === 'page' ? '**Page**' : 'Ticket'}, ${after}: ${summary}.`,
    `\`\`\`promql\n${expr.trim()}\n\`\`\``,
    annotations.runbook.trim(),
  ].join('\n\n');
}
