// GraphQL types of Relay pagination: arguments, page information, and connections made for a node type.

import { ArgsType, Field, Int, ObjectType, type ClassType } from 'type-graphql';
import { maxPageSize, type Edge, type Page, type PageArgs } from '../database/page.js';

@ArgsType()
export class ForwardPageArgs implements Pick<PageArgs, 'first' | 'after'> {
  @Field(() => Int, { nullable: true, description: `How many, 50 by default, ${maxPageSize} at most.` })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'Continue after this cursor.' })
  after?: string | null;
}

@ArgsType()
export class TwoWayPageArgs extends ForwardPageArgs implements PageArgs {
  @Field(() => Int, {
    nullable: true,
    description: `How many from the end, ${maxPageSize} at most. Not together with first.`,
  })
  last?: number | null;

  @Field(() => String, { nullable: true, description: 'With last: the ones before this cursor.' })
  before?: string | null;
}

@ObjectType({ description: 'Where a page stands in its list, by the Relay cursor specification.' })
export class PageInfo {
  constructor(private readonly page: Page<unknown>) {}

  @Field(() => Boolean, { description: 'Whether there are more after this page.' })
  hasNextPage(): Promise<boolean> {
    return this.page.hasNextPage();
  }

  @Field(() => Boolean, { description: 'Whether there are more before this page.' })
  hasPreviousPage(): Promise<boolean> {
    return this.page.hasPreviousPage();
  }

  @Field(() => String, { nullable: true, description: "The first edge's cursor; null on an empty page." })
  get startCursor(): string | null {
    return this.page.edges[0]?.cursor ?? null;
  }

  @Field(() => String, { nullable: true, description: "The last edge's cursor; null on an empty page." })
  get endCursor(): string | null {
    return this.page.edges.at(-1)?.cursor ?? null;
  }
}

/**
 * Extension of a field: the usual length of its list, where the list has no page size and many entries. The cost of an operation is
 * estimated with it.
 */
export const listSizeExtension = 'listSize';

/** A connection's value, as resolvers give it. */
export interface ConnectionValue<Node> {
  edges: Edge<Node>[];
  pageInfo: PageInfo;
  page: Page<Node>;
}

export function toConnection<Node>(page: Page<Node>): ConnectionValue<Node> {
  return { edges: page.edges, pageInfo: new PageInfo(page), page };
}

/** Makes `<name>Connection` and `<name>Edge`. */
export function connectionType<Node extends object>(
  node: ClassType<Node>,
  name: string,
): ClassType<ConnectionValue<Node>> {
  @ObjectType(`${name}Edge`, { description: `A ${name} in a list, with its cursor.` })
  class NodeEdge {
    @Field(() => node, { description: `The ${name}.` })
    node!: Node;

    @Field(() => String, { description: 'Give it as after or before to continue from here.' })
    cursor!: string;
  }

  @ObjectType(`${name}Connection`, { description: `A page of ${name} records.` })
  class Connection {
    @Field(() => [NodeEdge], { description: "The page's entries, in the list's order." })
    edges!: NodeEdge[];

    @Field(() => PageInfo, { description: 'Where this page stands in the list.' })
    pageInfo!: PageInfo;

    page!: Page<Node>;

    totalCount(): Promise<number> {
      return this.page.totalCount();
    }
  }
  return Connection;
}

/** Makes a type like `connectionType`, for a list that can be counted: with `totalCount`. */
export function countedConnectionType<Node extends object>(
  node: ClassType<Node>,
  name: string,
): ClassType<ConnectionValue<Node>> {
  const Connection = connectionType(node, name);
  const description = 'How many there are on all pages. Counted only where it is asked for.';
  const method = Object.getOwnPropertyDescriptor(Connection.prototype, 'totalCount') ?? {};
  Field(() => Int, { description })(Connection.prototype as object, 'totalCount', method);
  return Connection;
}
