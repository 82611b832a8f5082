// Compares a database with the Prisma schema through Prisma's schema engine as WebAssembly: the engine's binary would have to be
// downloaded.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  ColumnTypeEnum,
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
} from '@prisma/driver-adapter-utils';
import pg from 'pg';

type EngineModule = typeof import('@prisma/schema-engine-wasm');

// Node has WebAssembly; only the browser types declare it.
declare const WebAssembly: {
  instantiate(binary: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

// Type numbers of PostgreSQL's catalogue: "char" and text.
const characterOid = 18;
const textOid = 25;

/**
 * Returns the SQL that would bring the database to the Prisma schema in `schemaPath`; empty when they agree. Reads only. The comparison
 * does not see parts that Prisma cannot express: CHECKs, partial or expression indexes, functions, triggers.
 */
export async function schemaDrift(databaseUrl: string, schemaPath: string): Promise<string> {
  const files = [{ path: schemaPath, content: await readFile(schemaPath, 'utf8') }];
  const pool = new pg.Pool({ connectionString: databaseUrl });
  try {
    const { SchemaEngine } = await loadEngine();
    const datamodels = files.map(({ path, content }): [string, string] => [path, content]);
    const engine = await SchemaEngine.new({ datamodels }, () => undefined, adapterFactory(pool));
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: dirname(schemaPath) },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    const script = (stdout ?? '').trim();
    return script === '-- This is an empty migration.' ? '' : script;
  } finally {
    await pool.end();
  }
}

// The engine knows constraints and columns by the catalogue's type "char", which Prisma's adapter refuses. The pool therefore passes "char"
// off as text, and the result gets its true type back afterwards.
function adapterFactory(pool: pg.Pool) {
  const characterColumns = new WeakMap<object, number[]>();
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryArrayResult>;
  const queryDisguised = async (config: pg.QueryConfig) => {
    const result = await query(config);
    const columns = result.fields.flatMap(({ dataTypeID }, index) => (dataTypeID === characterOid ? [index] : []));
    for (const column of columns) result.fields[column]!.dataTypeID = textOid;
    characterColumns.set(result.rows, columns);
    return result;
  };
  pool.query = queryDisguised as typeof pool.query;
  const prismaPg = new PrismaPg(pool);
  const correct = (adapter: SqlDriverAdapter): SqlDriverAdapter => {
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (sql) => {
      const result = await queryRaw(sql);
      for (const column of characterColumns.get(result.rows) ?? []) {
        result.columnTypes[column] = ColumnTypeEnum.Character;
        for (const row of result.rows) if (row[column] === '') row[column] = '\0';
      }
      return result;
    };
    return adapter;
  };
  return bindMigrationAwareSqlAdapterFactory({
    provider: prismaPg.provider,
    adapterName: prismaPg.adapterName,
    connect: async () => correct(await prismaPg.connect()),
    connectToShadowDb: async () => correct(await prismaPg.connectToShadowDb()),
  });
}

let engine: Promise<EngineModule> | undefined;

// Loads the engine once for each process: the glue keeps its instance in a variable of its module. The package's own entry imports the
// .wasm file as a module, which Jest cannot do.
function loadEngine(): Promise<EngineModule> {
  engine ??= instantiateEngine();
  return engine;
}

async function instantiateEngine(): Promise<EngineModule> {
  const gluePath = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const glue = (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as unknown as EngineModule & {
    __wbg_set_wasm(exports: object): void;
  };
  const binary = await readFile(join(dirname(gluePath), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(binary, { './schema_engine_bg.js': { ...glue } });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue;
}
