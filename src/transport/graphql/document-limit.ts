// The limits of a document, over HTTP and over sockets. They are checked on the parsed text alone, before it is validated: some of
// GraphQL's own rules cost too much on a document beyond them. The cost of a document belongs to operation-cost.ts.

import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * The most of each that a document may have. Selections (fields and fragment spreads), aliases, directives and depth are counted in one
 * operation, with its fragments written out where they are spread. Repetitions are the times that a field with fields is asked for at one
 * place, where GraphQL compares each with each. Mutations are the fields of one operation that change something.
 */
export const documentLimits = {
  tokens: 2_000,
  operations: 10,
  fragments: 100,
  depth: 16,
  selections: 1_000,
  aliases: 50,
  directives: 50,
  repetitions: 100,
  mutations: 20,
} as const;

/** `cost` and `timeMs` are configured; `batch` bounds the operations of one request, and `characters` the length of an answer. */
export type LimitName =
  keyof typeof documentLimits | SubscriptionLimitName | 'cost' | 'timeMs' | 'batch' | 'characters';

type SubscriptionLimitName = 'subscriptionCost' | 'userSubscriptionCost' | 'tenantSubscriptionCost';

/**
 * The limit, the number that was found (at least, where counting stopped there), and the number that is allowed. It goes out in
 * `extensions.limit`.
 */
export interface ExceededLimit {
  name: LimitName;
  found: number;
  allowed: number;
}

const whatIsCounted: Record<
  Exclude<LimitName, SubscriptionLimitName | 'timeMs' | 'tokens' | 'characters'>,
  (found: number) => string
> = {
  operations: (found) => `The document has ${found} operations`,
  fragments: (found) => `The document defines ${found} fragments`,
  depth: (found) => `The operation nests ${found} levels of fields`,
  selections: (found) => `The operation selects ${found} fields and fragments, fragments written out`,
  aliases: (found) => `The operation has ${found} aliases, fragments written out`,
  directives: (found) => `The operation has ${found} directives, fragments written out`,
  repetitions: (found) => `The operation asks ${found} times for one field at one place, fragments written out`,
  mutations: (found) => `The operation has ${found} mutations, fragments written out`,
  cost: (found) => `The operation costs ${found}: a field counts 1, and in a list once for each entry asked for`,
  batch: (found) => `The request carries ${found} operations`,
};

/** Makes a refusal that names the limit. Counts beyond a million are shown as a million. */
export function limitError(name: keyof typeof whatIsCounted, found: number, allowed: number): GraphQLError {
  const shown = Math.min(found, 1_000_000);
  return new GraphQLError(`${whatIsCounted[name](shown)}; ${allowed} are allowed`, {
    extensions: { code: 'VALIDATION_FAILED', limit: { name, found: shown, allowed } satisfies ExceededLimit },
  });
}

/** Reading stops at the limit, so `found` is the first token that was too many. */
export function tooManyTokens(): GraphQLError {
  const allowed = documentLimits.tokens;
  const limit: ExceededLimit = { name: 'tokens', found: allowed + 1, allowed };
  return new GraphQLError(`The document has more than ${allowed} tokens`, {
    extensions: { code: 'BAD_REQUEST', limit },
  });
}

/** The number of tokens of a parsed text; where the parser did not count, the most that it may have. */
export function tokenCountOf(document: DocumentNode): number {
  return 'tokenCount' in document && typeof document.tokenCount === 'number'
    ? document.tokenCount
    : documentLimits.tokens;
}

/** Finds the first limit that a document exceeds, as a refusal. The time is linear in the document: each fragment is counted once. */
export function findExceededLimit({ definitions }: DocumentNode): GraphQLError | undefined {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const read = new TallyReader(fragments);
  const tallies = operations.map((operation) => {
    const tally = read.ofSet(operation.selectionSet);
    const mutations = operation.operation === OperationTypeNode.MUTATION ? tally.outerFields : 0;
    return { ...tally, mutations, directives: tally.directives + (operation.directives?.length ?? 0) };
  });
  const most = (name: keyof Tally | 'mutations') => Math.max(0, ...tallies.map((tally) => tally[name]));
  const found = {
    operations: operations.length,
    fragments: fragments.length,
    depth: most('depth'),
    selections: most('selections'),
    aliases: most('aliases'),
    directives: most('directives'),
    mutations: most('mutations'),
  };
  for (const name of ['operations', 'fragments', 'depth', 'selections', 'aliases', 'directives', 'mutations'] as const)
    if (found[name] > documentLimits[name]) return limitError(name, found[name], documentLimits[name]);
  const repetitions = Math.max(0, ...operations.map((operation) => read.countRepetitions(operation.selectionSet)));
  if (repetitions <= documentLimits.repetitions) return undefined;
  return limitError('repetitions', repetitions, documentLimits.repetitions);
}

interface Tally {
  /** Fields that stand directly in the set. */
  outerFields: number;
  depth: number;
  selections: number;
  aliases: number;
  directives: number;
}

const nothing: Tally = { outerFields: 0, depth: 0, selections: 0, aliases: 0, directives: 0 };

class TallyReader {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly known = new Map<string, Tally>();

  constructor(fragments: readonly FragmentDefinitionNode[]) {
    this.fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  ofSet({ selections }: SelectionSetNode): Tally {
    const total = { ...nothing };
    for (const selection of selections) {
      const tally = this.ofSelection(selection);
      total.depth = Math.max(total.depth, tally.depth);
      total.outerFields += tally.outerFields;
      total.selections += tally.selections;
      total.aliases += tally.aliases;
      total.directives += tally.directives;
    }
    return total;
  }

  /** Counts in an operation that is within its selections: it is walked through as if its fragments were written out. */
  countRepetitions(selectionSet: SelectionSetNode): number {
    const counts = new Map<string, number>();
    let steps = 0;
    const walk = ({ selections }: SelectionSetNode, place: string) => {
      for (const selection of selections) {
        steps += 1;
        // Only fragments in a circle lead further, and validation refuses them.
        if (steps > documentLimits.selections) return;
        const inner = this.selectionSetOf(selection);
        if (inner === undefined) continue;
        const isField = selection.kind === Kind.FIELD;
        const path = isField ? `${place} ${(selection.alias ?? selection.name).value}` : place;
        if (isField) counts.set(path, (counts.get(path) ?? 0) + 1);
        walk(inner, path);
      }
    };
    walk(selectionSet, '');
    return Math.max(0, ...counts.values());
  }

  private selectionSetOf(selection: SelectionNode): SelectionSetNode | undefined {
    if (selection.kind !== Kind.FRAGMENT_SPREAD) return selection.selectionSet;
    return this.fragments.get(selection.name.value)?.selectionSet;
  }

  private ofSelection(selection: SelectionNode): Tally {
    const inner = this.insideOf(selection);
    const isField = selection.kind === Kind.FIELD;
    return {
      outerFields: isField ? 1 : inner.outerFields,
      depth: inner.depth + (isField ? 1 : 0),
      selections: inner.selections + 1,
      aliases: inner.aliases + (isField && selection.alias !== undefined ? 1 : 0),
      directives: inner.directives + (selection.directives?.length ?? 0),
    };
  }

  private insideOf(selection: SelectionNode): Tally {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.ofFragment(selection.name.value);
    return selection.selectionSet === undefined ? nothing : this.ofSet(selection.selectionSet);
  }

  // A fragment that leads back to itself counts nothing where it does: validation refuses it, and names it.
  private ofFragment(name: string): Tally {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const fragment = this.fragments.get(name);
    if (fragment === undefined) return nothing;
    this.known.set(name, nothing);
    const tally = this.ofSet(fragment.selectionSet);
    const size = { ...tally, directives: tally.directives + (fragment.directives?.length ?? 0) };
    this.known.set(name, size);
    return size;
  }
}
