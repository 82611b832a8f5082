// Prisma's schema engine, as WebAssembly in this process, over an ordinary connection: what `prisma migrate` would do with
// its downloaded binary. Which migrations there are belongs to migrations.ts.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  ColumnTypeEnum,
  bindMigrationAwareSqlAdapterFactory,
  isDriverAdapterError,
} from '@prisma/driver-adapter-utils';
import type {
  ErrorRegistry,
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';

// Type numbers of PostgreSQL's catalogue: "char" and text.
const characterOid = 18;
const textOid = 25;

/**
 * Runs `work` with an engine on this database and closes its connections. The engine's 5 MB of WebAssembly are loaded the
 * first time.
 * @param schemaFiles the Prisma schema, where the work needs one
 * @throws Error with what PostgreSQL or the engine says
 */
export async function withSchemaEngine<Result>(
  databaseUrl: string,
  schemaFiles: readonly { path: string; content: string }[] | undefined,
  work: (engine: SchemaEngine) => Promise<Result>,
): Promise<Result> {
  const { SchemaEngine } = await loadEngineModule();
  const pool = new pg.Pool({ connectionString: databaseUrl, application_name: 'leadwire migrations' });
  let scriptError: string | undefined;
  const factory = bindMigrationAwareSqlAdapterFactory(adapterFactory(pool, (message) => (scriptError = message)));
  try {
    const datamodels = schemaFiles?.map(({ path, content }): [string, string] => [path, content]);
    const engine = await SchemaEngine.new({ datamodels }, () => undefined, factory);
    return await work(engine);
  } catch (error) {
    throw new Error(scriptError ?? describe(error, factory.errorRegistry), { cause: error });
  } finally {
    await pool.end();
  }
}

// Corrects two faults of Prisma's adapter that only the schema engine meets.
//
// It cuts a script at every semicolon, also inside strings, comments and function bodies, and runs the pieces one by one:
// sent whole, PostgreSQL parses it itself, in one transaction. And it refuses the catalogue's type "char", by which the
// engine knows constraints and columns: the pool passes it off as text, and afterwards it is named what it is.
function adapterFactory(
  pool: pg.Pool,
  noteError: (message: string | undefined) => void,
): SqlMigrationAwareDriverAdapterFactory {
  const characterColumns = new WeakMap<object, number[]>();
  disguiseCharacters(pool, characterColumns);
  const prismaPg = new PrismaPg(pool);
  const correct = (adapter: SqlDriverAdapter): SqlDriverAdapter => {
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const column of characterColumns.get(result.rows) ?? []) {
        result.columnTypes[column] = ColumnTypeEnum.Character;
        for (const row of result.rows) if (row[column] === '') row[column] = '\0';
      }
      return result;
    };
    adapter.executeScript = async (script) => {
      try {
        await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
      } catch (error) {
        // The engine puts it in words of its own, which say less.
        if (isDriverAdapterError(error)) noteError(error.cause.originalMessage);
        throw error;
      }
    };
    return adapter;
  };
  return {
    provider: prismaPg.provider,
    adapterName: prismaPg.adapterName,
    connect: async () => correct(await prismaPg.connect()),
    connectToShadowDb: async () => correct(await prismaPg.connectToShadowDb()),
  };
}

function disguiseCharacters(pool: pg.Pool, characterColumns: WeakMap<object, number[]>): void {
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<Partial<pg.QueryArrayResult>>;
  const queryDisguised = async (config: pg.QueryConfig) => {
    const result = await query(config);
    const columns = (result.fields ?? []).flatMap(({ dataTypeID }, index) =>
      dataTypeID === characterOid ? [index] : [],
    );
    for (const column of columns) result.fields![column]!.dataTypeID = textOid;
    if (result.rows && columns.length > 0) characterColumns.set(result.rows, columns);
    return result;
  };
  pool.query = queryDisguised as typeof pool.query;
}

type EngineModule = typeof import('@prisma/schema-engine-wasm');

interface WasmInstance {
  readonly exports: { __wbindgen_start(): void };
}

interface WasmRuntime {
  instantiate(binary: Uint8Array, imports: Record<string, unknown>): Promise<{ instance: WasmInstance }>;
}

let engineModule: Promise<EngineModule> | undefined;
let lastPanic: string | undefined;

// Once for each process: the glue keeps its instance in a variable of its module.
function loadEngineModule(): Promise<EngineModule> {
  engineModule ??= instantiateEngine();
  return engineModule;
}

// The package's own entry imports the .wasm file as a module, which not every supported Node can do.
async function instantiateEngine(): Promise<EngineModule> {
  const gluePath = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const glue = (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as unknown as EngineModule & {
    __wbg_set_wasm(exports: WasmInstance['exports']): void;
  };
  const binary = await readFile(join(dirname(gluePath), 'schema_engine_bg.wasm'));
  const { WebAssembly } = globalThis as unknown as { WebAssembly: WasmRuntime };
  // Where the engine reports a panic; without it the report itself would end the process.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => (lastPanic = message) },
  });
  const { instance } = await WebAssembly.instantiate(binary, { './schema_engine_bg.js': withIdleTimers(glue) });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue;
}

// The engine leaves the timer of its own lock running, which would keep this process alive for 10 seconds.
function withIdleTimers(glue: object): Record<string, unknown> {
  const imports: Record<string, unknown> = { ...glue };
  for (const [name, value] of Object.entries(imports)) {
    if (!name.startsWith('__wbg_setTimeout_')) continue;
    imports[name] = (...parameters: unknown[]) =>
      (value as (...all: unknown[]) => NodeJS.Timeout)(...parameters).unref();
  }
  return imports;
}

function describe(error: unknown, registry: ErrorRegistry): string {
  const { id, name, message } = error as { id?: number; name?: string; message?: string };
  const original = id === undefined ? undefined : (registry.consumeError(id)?.error as Error | undefined);
  const reason = original?.message ?? (name === 'RuntimeError' ? lastPanic : undefined) ?? message ?? String(error);
  // The rest is a trace through the engine's own source.
  return reason.split(/\n +0: /)[0]!.trim();
}
