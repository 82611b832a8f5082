// The context that every resolver gets with an operation: the caller, and the loaders that batch reads of one level.

import DataLoader from 'dataloader';
import {
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import type { Deadline } from '../jobs/deadline.js';
import { notFound, type AppError } from '../errors.js';
import type { OwnedPage, Page, PageArgs } from '../database/page.js';
import type { UserPrincipal } from '../principal.js';
import type { ResolverOutcomes } from './resolver-outcomes.js';
import type { SelectedFields } from '../database/shown-records.js';

/**
 * Loaders by name, made on first use. They batch the reads of one level and remember nothing: data that a mutation, or an event on a
 * socket, has changed is read again.
 */
export class LoaderCache {
  private readonly loaders = new Map<string, unknown>();
  private gapFound = false;

  /**
   * @param leavesGapsOut whether pages leave out records that name a record that is gone: the operation was read before, or is read once
   *   only
   */
  constructor(readonly leavesGapsOut = false) {}

  /** True if a record names another that was gone when it was read: it was erased between the two statements. */
  get hasGap(): boolean {
    return this.gapFound;
  }

  /** Notes such a gap, so that the operation is read again. @returns the field's error for a gap that is still there then */
  gapAt(kind: string): AppError {
    this.gapFound = true;
    return notFound(kind);
  }

  /**
   * @param batch reads many keys, each once, in one statement; rows may come in any order and be missing
   * @param keyOf the key of a row
   */
  one<Row>(
    name: string,
    batch: (keys: readonly string[]) => Promise<Row[]>,
    keyOf: (row: Row) => string,
  ): DataLoader<string, Row | null> {
    return this.get(name, async (keys) => {
      const byKey = new Map((await batch([...new Set(keys)])).map((row) => [keyOf(row), row]));
      return keys.map((key) => byKey.get(key) ?? null);
    });
  }

  /** Loads like `one`, with any number of rows for a key, in the order in which they were read. */
  many<Row>(
    name: string,
    batch: (keys: readonly string[]) => Promise<Row[]>,
    keyOf: (row: Row) => string,
  ): DataLoader<string, Row[]> {
    return this.get(name, async (keys) => {
      const byKey = Map.groupBy(await batch([...new Set(keys)]), keyOf);
      return keys.map((key) => byKey.get(key) ?? []);
    });
  }

  /**
   * Loads a page of one record's list, together with the same page of the other records of its level.
   * @param filter further values that distinguish the list from others of its name
   */
  async page<Row>(
    list: string,
    { first, after, last, before }: PageArgs,
    owner: string,
    batch: (owners: readonly string[]) => Promise<OwnedPage<Row>[]>,
    filter?: object | null,
  ): Promise<Page<Row>> {
    const name = `${list} ${JSON.stringify([first, after, last, before, filter])}`;
    const owned = await this.one(name, batch, (page) => page.owner).load(owner);
    if (owned === null) throw new Error('a record was left out');
    return owned.page;
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
  /** The time limit of the operation; resolvers need not ask it. */
  deadline: Deadline;
  /** The outcomes of resolvers that have run for this operation: they do not run again. */
  outcomes?: ResolverOutcomes | undefined;
}

/** Returns the caller. The authChecker has made sure that there is one. */
export function callerOf(context: GraphqlContext): UserPrincipal {
  if (context.principal === undefined) throw new Error('a field without @Authorized reads a tenant');
  return context.principal;
}

/**
 * Loads the record with an id, in one read with those of other records of the level. Null without an id, and where the caller's tenant has
 * no such record.
 * @param name of the loader, which all fields of these records share
 */
export function loadById<Row extends { id: string }, Id extends string | null>(
  context: GraphqlContext,
  name: string,
  records: { listByIds(caller: UserPrincipal, ids: readonly string[]): Promise<Row[]> },
  id: Id,
): Promise<Row | null> | (Id & null) {
  if (id === null) return id as Id & null;
  const read = (ids: readonly string[]) => records.listByIds(callerOf(context), ids);
  return context.loaders.one(name, read, (row) => row.id).load(id);
}

export type ResolverClass = abstract new (...args: never[]) => object;

/** Extension of a schema: its resolver classes, each with the instance that answers for it. */
export const resolversExtension = 'resolvers';

/** @throws Error where the schema was built without this class */
export function resolverIn<Resolver extends object>(
  schema: GraphQLSchema,
  resolver: abstract new (...args: never[]) => Resolver,
): Resolver {
  const resolvers = schema.extensions[resolversExtension] as ReadonlyMap<ResolverClass, object> | undefined;
  const found = resolvers?.get(resolver);
  if (found === undefined) throw new Error(`${resolver.name} is no part of the schema.`);
  return found as Resolver;
}

// The fields are the same for every execution of a document that is remembered.
const nodeFields = new WeakMap<readonly FieldNode[], SelectedFields>();

/** Returns the fields that are asked for of the records of a connection, which is being resolved. */
export function selectedOfNodes(info: GraphQLResolveInfo): SelectedFields {
  const known = nodeFields.get(info.fieldNodes);
  if (known !== undefined) return known;
  const fields = selectedFields(info, ['edges', 'node']);
  nodeFields.set(info.fieldNodes, fields);
  return fields;
}

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/**
 * Returns the fields that are asked for at the end of a path of field names, below the field that is being resolved. Each comes with the
 * names of its own fields.
 */
function selectedFields(
  { fieldNodes, fragments }: GraphQLResolveInfo,
  path: readonly string[],
): Map<string, ReadonlySet<string>> {
  let nodes: readonly FieldNode[] = fieldNodes;
  for (const name of path) nodes = fieldsOf(nodes, fragments).filter((node) => node.name.value === name);
  const selected = new Map<string, Set<string>>();
  for (const field of fieldsOf(nodes, fragments)) {
    const name = field.name.value;
    const own = selected.get(name) ?? new Set();
    for (const { name: ownName } of fieldsOf([field], fragments)) own.add(ownName.value);
    selected.set(name, own);
  }
  return selected;
}

function fieldsOf(nodes: readonly FieldNode[], fragments: Fragments): FieldNode[] {
  return nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : fieldsIn(selectionSet, fragments)));
}

function fieldsIn({ selections }: SelectionSetNode, fragments: Fragments): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const set = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
    return set === undefined ? [] : fieldsIn(set.selectionSet, fragments);
  });
}
