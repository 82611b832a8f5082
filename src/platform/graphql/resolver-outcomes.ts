// The outcomes of the resolvers that a plan has run. Where its query fails, graphql-js takes them to make the answer with its errors, so
// that no resolver runs twice.

import type { FieldNode, GraphQLFieldResolver } from 'graphql';

type Resolver<Context> = GraphQLFieldResolver<unknown, Context>;
type ResolverCall<Context> = [resolve: Resolver<Context>, ...Parameters<Resolver<Context>>];

/** The outcomes of one field of a document, in the order of the calls. */
export class FieldOutcomes {
  /** Sources and outcomes in turn: most queries succeed, and nothing is ever looked up. */
  private readonly kept: unknown[] = [];
  private bySource: Map<unknown, unknown> | undefined;

  constructor(readonly nodes: readonly FieldNode[]) {}

  /** Runs the field's resolver and keeps its outcome. */
  run<Context>(...[resolve, source, args, context, info]: ResolverCall<Context>): unknown {
    try {
      const value: unknown = resolve(source, args, context, info);
      this.kept.push(source, value);
      return value;
    } catch (error) {
      this.kept.push(source, new Thrown(error));
      throw error;
    }
  }

  find(source: unknown): KnownOutcome | undefined {
    this.bySource ??= this.toMap();
    if (!this.bySource.has(source)) return undefined;
    const outcome = this.bySource.get(source);
    return outcome instanceof Thrown ? { error: outcome.error } : { value: outcome };
  }

  private toMap(): Map<unknown, unknown> {
    const outcomes = new Map<unknown, unknown>();
    for (let index = 0; index < this.kept.length; index += 2) outcomes.set(this.kept[index], this.kept[index + 1]);
    return outcomes;
  }
}

class Thrown {
  constructor(readonly error: unknown) {}
}

export type KnownOutcome = { value: unknown } | { error: unknown };

export class ResolverOutcomes {
  private readonly byNode: Map<FieldNode | undefined, FieldOutcomes[]>;

  constructor(fields: readonly FieldOutcomes[]) {
    this.byNode = Map.groupBy(fields, ({ nodes }) => nodes[0]);
  }

  /**
   * @param nodes the places of the document that ask for the field: the value of a list depends on its selected fields
   * @returns undefined for a resolver that has not run
   */
  find(source: unknown, nodes: readonly FieldNode[]): KnownOutcome | undefined {
    const fields = this.byNode.get(nodes[0]) ?? [];
    for (const field of fields) {
      const outcome = haveSame(field.nodes, nodes) ? field.find(source) : undefined;
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  }
}

function haveSame(one: readonly FieldNode[], other: readonly FieldNode[]): boolean {
  return one.length === other.length && one.every((node, index) => node === other[index]);
}
