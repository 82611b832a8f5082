// What every resolver gets with an operation: who is calling, and the loaders that gather reads of one level.

import DataLoader from 'dataloader';
import type { UserPrincipal } from './principal.js';

/** Loaders by name, made on first use. They gather the reads of one level and remember nothing: what a mutation, or an event on
 * a socket, has changed is read anew. */
export class LoaderCache {
  private readonly loaders = new Map<string, unknown>();

  /**
   * @param batch reads many keys in one statement; rows may come in any order and be missing
   * @param keyOf the key of a row
   */
  one<Row>(
    name: string,
    batch: (keys: readonly string[]) => Promise<Row[]>,
    keyOf: (row: Row) => string,
  ): DataLoader<string, Row | null> {
    return this.get(name, async (keys) => {
      const byKey = new Map((await batch(keys)).map((row) => [keyOf(row), row]));
      return keys.map((key) => byKey.get(key) ?? null);
    });
  }

  /** As `one`, with any number of rows for a key, in the order in which they were read. */
  many<Row>(
    name: string,
    batch: (keys: readonly string[]) => Promise<Row[]>,
    keyOf: (row: Row) => string,
  ): DataLoader<string, Row[]> {
    return this.get(name, async (keys) => {
      const byKey = Map.groupBy(await batch(keys), keyOf);
      return keys.map((key) => byKey.get(key) ?? []);
    });
  }

  private get<Value>(name: string, batch: (keys: readonly string[]) => Promise<Value[]>): DataLoader<string, Value> {
    const known = this.loaders.get(name) as DataLoader<string, Value> | undefined;
    const loader = known ?? new DataLoader<string, Value>(batch, { cache: false });
    this.loaders.set(name, loader);
    return loader;
  }
}

export interface GraphqlContext {
  /** Undefined for a caller without a valid Bearer token: only what needs no sign-in answers. */
  principal: UserPrincipal | undefined;
  loaders: LoaderCache;
}

/** The caller, where the authChecker has seen to it that there is one. */
export function callerOf(context: GraphqlContext): UserPrincipal {
  if (context.principal === undefined) throw new Error('a field without @Authorized reads a tenant');
  return context.principal;
}
