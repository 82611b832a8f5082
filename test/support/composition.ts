// Reads docker-compose.yml as Compose does.

import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

export interface Service {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  configs?: { source: string }[];
  stop_grace_period?: string;
  restart?: string;
  logging?: { options?: Record<string, string> };
  profiles?: string[];
  deploy?: { replicas: number; resources?: { limits?: { memory?: string } } };
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
}

export interface Composition {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  configs: Record<string, { content: string }>;
}

export async function readComposition(): Promise<Composition> {
  return parse(await readFile(new URL('../../docker-compose.yml', import.meta.url), 'utf8'), {
    merge: true,
  }) as Composition;
}

export const secrets: Record<string, string> = {
  POSTGRES_PASSWORD: 'password',
  JWT_SECRET: 's'.repeat(32),
  ENCRYPTION_KEY: 'ab'.repeat(32),
};

/**
 * Fills in a service's variables from `env`, as Compose does from `.env`: `${NAME:-default}`, where the default may hold further variables.
 */
export function filledIn(
  environment: Record<string, string> = {},
  env: Record<string, string> = secrets,
): Record<string, string> {
  const innermost = /\$\{(\w+)(?::([-?])([^{}]*))?\}/;
  const fill = (value: string): string => {
    const filled = value.replace(innermost, (_, name: string, sign: string | undefined, rest: string | undefined) => {
      const other = sign === '-' ? (rest ?? '') : '';
      return env[name] ?? other;
    });
    return filled === value ? value : fill(filled);
  };
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]));
}
