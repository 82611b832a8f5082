// Several pages of a list, one after the other: as many as were shown before.

export interface Page<Node> {
  edges: readonly { node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

export interface Turned<Node> {
  nodes: Node[];
  /** How many pages they are. */
  pages: number;
  after: string | undefined;
  hasMore: boolean;
}

interface Turns {
  after: string | undefined;
  /** How many pages at most. */
  count: number;
  /** Whether anybody waits for the answer still. */
  isNewest: () => boolean;
}

/** Page after page, as many as are wanted. */
export async function readInTurn<Node>(
  load: (after: string | undefined) => Promise<Page<Node>>,
  { after, count, isNewest }: Turns,
): Promise<Turned<Node>> {
  const nodes: Node[] = [];
  let from = after;
  for (let pages = 1; ; pages += 1) {
    const { edges, pageInfo } = await load(from);
    nodes.push(...edges.map(({ node }) => node));
    from = pageInfo.endCursor ?? undefined;
    const hasMore = pageInfo.hasNextPage;
    if (!hasMore || from === undefined || pages >= count || !isNewest()) return { nodes, pages, after: from, hasMore };
  }
}
