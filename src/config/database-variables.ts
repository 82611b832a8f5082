// The variables that name PostgreSQL: the database, the way past a pooler, and read replicas.

import { z } from 'zod';
import { integer, postgresUrls } from './value-formats.js';

export const databaseVariables = {
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/, error: 'has to be a postgresql:// URL' }).optional(),
    default: '–',
    meaning:
      'PostgreSQL 15 or newer; required in production. Unset otherwise: an embedded PostgreSQL 18 under `DATA_DIR`',
  },
  DATABASE_POOL_SIZE: {
    schema: integer(2, 200).default(10),
    default: '`10`',
    meaning: 'connections of this process for requests and sends; the job queue has up to 5 more, and listening 1',
  },
  DATABASE_DIRECT_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/, error: 'has to be a postgresql:// URL' }).optional(),
    default: '–',
    meaning:
      'PostgreSQL itself, where `DATABASE_URL` leads to a pooler that hands out servers by transaction: for migrations, the job queue and LISTEN. Unset: `DATABASE_URL` is for all',
  },
  DATABASE_REPLICA_URL: {
    schema: postgresUrls.refine((urls) => urls.length <= 8, 'has to name at most 8 replicas').default([]),
    default: '–',
    meaning:
      'read replicas of the database, separated by commas, at most 8: they serve a part of what users read. Each has a pool of `DATABASE_POOL_SIZE` too',
  },
  DATABASE_REPLICA_MAX_LAG_MS: {
    schema: integer(3_000, 3_600_000).default(10_000),
    default: '`10000`',
    meaning: 'a read replica that is further behind is reported as left out, 3000 to 3600000 ms',
  },
} as const;
