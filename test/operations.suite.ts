// The files that operators load into Prometheus and Grafana: they can be read, and name only existing series and labels.

import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { JobQueue } from '../src/platform/jobs/queue.js';
import { Metrics } from '../src/platform/observability/metrics.js';
import { backupSeries } from '../src/commands/doctor/backup/backup-metrics.js';

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface Panel {
  title: string;
  type: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
}

const read = (name: string) => readFile(new URL(`../src/operations/${name}`, import.meta.url), 'utf8');

const rules = (parse(await read('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const { panels } = JSON.parse(await read('grafana-dashboard.json')) as { panels: Panel[] };
const graphs = panels.filter(({ type }) => type !== 'row');
const ends: Record<string, string[]> = { histogram: ['_bucket', '_sum', '_count'] };

/** The labels of every series that a process exports, by name. Prometheus adds the first two labels, and histograms have bounds. */
const labelsBySeries = new Map<string, string[]>([['up', ['job', 'instance']]]);
const metrics = new Metrics();

/** The scheduled jobs, with their seconds from one run to the next. */
async function scheduledJobs(): Promise<{ name: string; overdueSeconds: number | undefined; interval: number }[]> {
  const sources = new URL('../src/', import.meta.url);
  const files = (await readdir(sources, { recursive: true })).filter((file) => file.endsWith('.jobs.ts'));
  const modules = await Promise.all(files.map((file) => import(new URL(file, sources).href) as Promise<object>));
  const jobs = modules.flatMap((module): Partial<JobQueue<object>>[] => Object.values(module));
  return jobs.flatMap(({ name, cron, overdueSeconds }) =>
    name === undefined || cron === undefined ? [] : [{ name, overdueSeconds, interval: intervalOf(cron) }],
  );
}

function intervalOf(cron: string): number {
  const [minute = '', hour = ''] = cron.split(' ');
  const every = /^\*(?:\/(\d+))?$/;
  const minutes = every.exec(minute);
  if (minutes !== null) return Number(minutes[1] ?? 1) * 60;
  const hours = every.exec(hour);
  return hours === null ? 86_400 : Number(hours[1] ?? 1) * 3_600;
}

export function describeOperations(): void {
  metrics.watchProcess();
  for (const name of Object.keys(backupSeries)) labelsBySeries.set(name, ['job', 'instance']);
  for (const { name, type, labels } of metrics.list())
    for (const end of ends[type] ?? [''])
      labelsBySeries.set(`${name}${end}`, ['job', 'instance', ...labels, ...(end === '_bucket' ? ['le'] : [])]);

  /** The series of an expression, each with the labels that the expression matches. */
  function seriesOf(expr: string): [name: string, labels: string[]][] {
    const found = expr.matchAll(/\b(up|(?:leadwire|nodejs|process)_\w+)\b(?:\{([^}]*)\})?/g);
    return [...found].map(([, name = '', matchers = '']) => [
      name,
      [...matchers.matchAll(/(\w+) *(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    ]);
  }

  const groupings = (text: string) =>
    [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
  const placeholders = (text: string) =>
    [...text.matchAll(/\{\{ *(?:\$labels\.)?(\w+)/g)].flatMap(([, name = '']) => (name === '' ? [] : [name]));

  function expectKnown(expr: string, shown: readonly string[]): void {
    const series = seriesOf(expr);
    expect(series).not.toEqual([]);
    for (const [name, labels] of series) {
      expect([...labelsBySeries.keys()]).toContain(name);
      expect(labelsBySeries.get(name)).toEqual(expect.arrayContaining(labels));
    }
    const known = series.flatMap(([name]) => labelsBySeries.get(name) ?? []);
    expect(known).toEqual(expect.arrayContaining(groupings(expr)));
    expect(known).toEqual(expect.arrayContaining([...shown]));
    // The quantile of a histogram needs its buckets.
    if (expr.includes('histogram_quantile')) expect(series.every(([name]) => name.endsWith('_bucket'))).toBe(true);
  }

  test('a scheduled task may miss two runs before it is overdue', async () => {
    const jobs = await scheduledJobs();
    expect(jobs.map(({ name }) => name)).toContain('prune');
    expect(jobs.filter(({ overdueSeconds = 900, interval }) => overdueSeconds < 3 * interval)).toEqual([]);
  });

  test.each(rules.map((rule) => [rule.alert, rule] as const))('the alert %s', (_, { expr, labels, annotations }) => {
    expectKnown(
      expr,
      placeholders(`${annotations.summary} ${annotations.runbook}`.replaceAll(/\{\{ *\$value[^}]*\}\}/g, '')),
    );
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.runbook).toMatch(/^[A-Z:a-z].{60,}\.$/s);
  });

  test.each(graphs.map((panel) => [panel.title, panel] as const))(
    'the panel "%s"',
    (_, { targets = [], description }) => {
      expect(targets).not.toEqual([]);
      expect(description).toBeTruthy();
      for (const { expr, legendFormat } of targets) expectKnown(expr, placeholders(legendFormat));
    },
  );

  test('no two alerts have a name, no two panels a place', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (__, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  test('every metric of ours is on the dashboard', () => {
    const shown = graphs.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => seriesOf(expr).map(([name]) => name)),
    );
    const missing = metrics.list().filter(({ name, type }) => {
      const series = (ends[type] ?? ['']).map((end) => `${name}${end}`);
      return name.startsWith('leadwire_') && !series.some((one) => shown.includes(one));
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
}
