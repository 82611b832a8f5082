// pgBackRest's repository: which backups there are, which WAL files of the archive follow the newest one, and a restore of it.

import { z } from 'zod';
import { runProgram, type DatabaseUser } from './database-user.js';

const statusSchema = z.object({ code: z.number(), message: z.string() });
const unreadable = 99;

const infoSchema = z.array(
  z.object({
    name: z.string(),
    status: statusSchema,
    // Versions before 2.32 know one repository, and do not list it.
    repo: z.array(z.object({ cipher: z.string(), status: statusSchema })).default([]),
    backup: z.array(
      z.object({
        label: z.string(),
        type: z.string(),
        error: z.boolean().nullish(),
        archive: z.object({ start: z.string().nullable(), stop: z.string().nullable() }),
        database: z.object({ id: z.number(), 'repo-key': z.number() }),
        timestamp: z.object({ start: z.number(), stop: z.number() }),
        info: z.object({ size: z.number() }),
      }),
    ),
    db: z.array(z.object({ id: z.number(), 'repo-key': z.number(), version: z.string() })),
  }),
);

const listSchema = z.record(z.string(), z.object({ type: z.string(), time: z.number().nullish() }));

/** A backup of the repository, full or what has changed since one. */
export interface Backup {
  label: string;
  type: string;
  endedAt: Date;
  bytes: number;
  postgresVersion: string;
  databaseId: number;
  /** The first WAL file that a restore of it needs. */
  firstWal: string;
}

export interface WalFile {
  name: string;
  archivedAt: Date;
}

export interface RepositoryOptions {
  /** Undefined: the only stanza of the repository. */
  stanza: string | undefined;
  /** Undefined: pgBackRest's own default. */
  configFile: string | undefined;
  user: DatabaseUser | undefined;
}

export class BackupRepository {
  constructor(private readonly options: RepositoryOptions) {}

  /** @throws Error in a sentence where there is no such stanza, or it has no backup that is whole */
  async findNewest(signal: AbortSignal): Promise<{ stanza: string; backup: Backup }> {
    const printed = await this.run(['info', '--output=json'], { signal });
    // It quotes what it could not read, bytes and all.
    const stanzas = infoSchema.parse(JSON.parse(printed.replaceAll(/\p{Cc}/gu, ' ')));
    const [found, ...others] = stanzas;
    if (found === undefined) throw new Error('The repository has no stanza');
    if (others.length > 0)
      throw new Error(`The repository has the stanzas ${stanzas.map(({ name }) => name).join(', ')}: name one`);
    const newest = found.backup.findLast(({ error, archive }) => error !== true && archive.start !== null);
    if (newest === undefined) throw new Error(`The stanza ${found.name} has no backup: ${describeStatus(found)}`);
    const { label, type, archive, database, timestamp, info } = newest;
    const version = found.db.find((db) => db.id === database.id && db['repo-key'] === database['repo-key'])?.version;
    const endedAt = new Date(timestamp.stop * 1_000);
    const backup = { label, type, endedAt, bytes: info.size, firstWal: archive.start ?? '', databaseId: database.id };
    return { stanza: found.name, backup: { ...backup, postgresVersion: version ?? '' } };
  }

  /** The WAL files of the archive, in no order. */
  async listWal(stanza: string, { postgresVersion, databaseId }: Backup, signal: AbortSignal): Promise<WalFile[]> {
    const folder = `archive/${stanza}/${postgresVersion}-${databaseId}`;
    const listed = await this.run(['repo-ls', '--recurse', '--output=json', folder], { signal, withStanza: false });
    return Object.entries(listSchema.parse(JSON.parse(listed))).flatMap(([path, { time }]) => {
      const name = /(?:^|\/)([0-9A-F]{24})-[0-9a-f]{40}(?:\.\w+)?$/.exec(path)?.[1];
      return name === undefined ? [] : [{ name, archivedAt: new Date((time ?? 0) * 1_000) }];
    });
  }

  /** Restores a backup into a folder that does not exist, to be recovered to the end of the archive. It changes no repository. */
  async restore(
    stanza: string,
    { label }: Backup,
    target: { data: string; tablespaces: string; lock: string },
    signal: AbortSignal,
  ): Promise<void> {
    const own = [`--pg1-path=${target.data}`, `--lock-path=${target.lock}`, '--reset-pg1-host', `--set=${label}`];
    // Without it they would be restored to where the running database has them.
    const outside = [`--tablespace-map-all=${target.tablespaces}`];
    const recovery = ['--type=default', '--archive-mode=off'];
    await this.run([...own, ...outside, ...recovery, `--stanza=${stanza}`, 'restore'], { signal, withStanza: false });
  }

  private run(
    options: readonly string[],
    { signal, withStanza = true }: { signal: AbortSignal; withStanza?: boolean },
  ): Promise<string> {
    const { configFile, stanza, user } = this.options;
    const own = [
      ...(configFile === undefined ? [] : [`--config=${configFile}`]),
      ...(withStanza && stanza !== undefined ? [`--stanza=${stanza}`] : []),
      '--log-level-file=off',
      '--log-level-console=off',
      '--log-level-stderr=error',
    ];
    return runProgram('pgbackrest', [...own, ...options], { user, signal });
  }
}

/** Only the first line of a message says what is wrong; the next ones quote bytes. */
function describeStatus({ status, repo }: z.infer<typeof infoSchema>[number]): string {
  const wrong = repo.find(({ status: { code } }) => code === unreadable);
  if (wrong === undefined) return status.message;
  const [line] = wrong.status.message.split(/:\n/);
  const hint = wrong.cipher === 'none' ? '' : '; either it is damaged, or its cipher-pass is another one';
  return `${line}${hint}`;
}

/** The names of the WAL files that lack between the first that a backup needs and the newest of the archive, on whatever timeline. */
export function listMissingWal(firstWal: string, files: readonly WalFile[], segmentBytes: number): string[] {
  const perLog = BigInt(2 ** 32 / segmentBytes);
  const numberOf = (name: string) => BigInt(`0x${name.slice(8, 16)}`) * perLog + BigInt(`0x${name.slice(16)}`);
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0');
  const timelines = new Map(files.map(({ name }) => [numberOf(name), name.slice(0, 8)]));
  const first = numberOf(firstWal);
  const last = [...timelines.keys()].reduce((newest, number) => (number > newest ? number : newest), first);
  const missing: string[] = [];
  let timeline = firstWal.slice(0, 8);
  for (let number = first; number <= last; number += 1n) {
    const present = timelines.get(number);
    if (present === undefined) missing.push(`${timeline}${hex(number / perLog)}${hex(number % perLog)}`);
    timeline = present ?? timeline;
  }
  return missing;
}
