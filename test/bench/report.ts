// The performance table as Markdown, and the machine it was measured on.

import { cpus } from 'node:os';
import { writeBlock } from '../docs/pages.js';
import type { Comparison, Listing, SideResult } from './side-by-side.js';

/** A table, and the notes under it. */
export function renderTable(table: Comparison | Listing): string {
  return 'rows' in table ? renderListing(table) : renderComparison(table);
}

function renderListing({ title, columns, rows, notes }: Listing): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = [line(columns), line(columns.map(() => '---'))];
  return [`### ${title}`, '', ...head, ...rows.map(line), '', ...notes.map((note) => `- ${note}`)].join('\n');
}

const roundsNote =
  'Medians of the rounds; the ratio is the median of the ratios of each round, with the lowest and the highest.';

function renderComparison({ title, sides, ratioTitle = 'Leadwire ÷ side', notes }: Comparison): string {
  const lines = [
    `### ${title}`,
    '',
    `| side | per second | p50 | p99 | ${ratioTitle} |`,
    '| --- | ---: | ---: | ---: | ---: |',
    ...sides.map(renderRow),
    '',
    ...[...notes, roundsNote].map((note) => `- ${note}`),
  ];
  return lines.join('\n');
}

function renderRow({ name, perSecond, p50Ms, p99Ms, ratio }: SideResult): string {
  const compared = ratio === undefined ? '–' : renderRatio(ratio);
  const cells = [name, perSecond.toFixed(0), `${p50Ms.toFixed(1)} ms`, `${p99Ms.toFixed(1)} ms`, compared];
  return `| ${cells.join(' | ')} |`;
}

function renderRatio({ median, lowest, highest }: NonNullable<SideResult['ratio']>): string {
  const percent = (ratio: number) => (ratio * 100).toFixed(ratio < 0.1 ? 1 : 0);
  return `${percent(median)} % (${percent(lowest)}–${percent(highest)})`;
}

/**
 * The machine and the date of the figures.
 * @param postgresVersion left out where several servers took part
 */
export function describeMachine(postgresVersion?: string): string {
  const cores = cpus();
  const model = cores[0]?.model.trim() ?? 'unknown processor';
  const date = new Date().toISOString().slice(0, 10);
  return (
    `- ${cores.length} cores (${model}) shared by the servers, PostgreSQL and the load generator; ` +
    `Node.js ${process.versions.node}${postgresVersion === undefined ? '' : `, PostgreSQL ${postgresVersion}`}; ${date}.`
  );
}

/** Writes the printed report into its block in src/docs. Its titles stand below the headings of the page. */
export async function writeReport(block: string, report: string): Promise<void> {
  const path = await writeBlock(block, report.replaceAll(/^### /gm, '#### '));
  process.stderr.write(`${path}: ${block} is replaced\n`);
}
