// The result of a drill as a file for the textfile collector of Prometheus' node_exporter.

import { rename, rm, writeFile } from 'node:fs/promises';
import { failed, sentenceOf, type Check } from '../check.js';

export interface DrillResult {
  /** Undefined: nothing could be restored. */
  restorableAt: Date | undefined;
  isWell: boolean;
  endedAt: Date;
}

/** The series of the file, by name. */
export const backupSeries = {
  leadwire_backup_restorable_timestamp_seconds:
    'The newest moment that the last drill could restore. Missing: it could restore none.',
  leadwire_backup_drill_timestamp_seconds: 'The end of the last drill (`npm run doctor -- --backup --metrics <file>`).',
  leadwire_backup_drill_failed: '1 if the last drill found something wrong, otherwise 0.',
} as const;

/** Writes the result of a drill. It finds nothing but a file that cannot be written: the drill itself has been told by then. */
export function metricsCheck(path: string, result: DrillResult): Check {
  const advice = 'Name a file by --metrics in a folder that is there, and that this user may write to.';
  const run = () =>
    writeBackupMetrics(path, result).then(
      () => [],
      (error: unknown) => failed(`The metrics cannot be written: ${sentenceOf(error)}`, advice),
    );
  return { name: 'backup-metrics', variables: [], run };
}

/** Replaces the file at once: the collector never reads half of it. */
async function writeBackupMetrics(path: string, { restorableAt, isWell, endedAt }: DrillResult): Promise<void> {
  const values: Record<keyof typeof backupSeries, number | undefined> = {
    leadwire_backup_restorable_timestamp_seconds: restorableAt && Math.floor(restorableAt.getTime() / 1_000),
    leadwire_backup_drill_timestamp_seconds: Math.floor(endedAt.getTime() / 1_000),
    leadwire_backup_drill_failed: isWell ? 0 : 1,
  };
  const lines = Object.entries(backupSeries).flatMap(([name, help]) => {
    const value = values[name as keyof typeof backupSeries];
    return value === undefined ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`];
  });
  const draft = `${path}.${process.pid}`;
  try {
    await writeFile(draft, `${lines.join('\n')}\n`, { mode: 0o644 });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
