// Reads several pages of a list in sequence, so that a list that is read again keeps its length.

export interface Page<Node> {
  edges: readonly { node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

export interface Turned<Node> {
  nodes: Node[];
  /** The number of pages that were read. */
  pages: number;
  after: string | undefined;
  hasMore: boolean;
}

interface Turns {
  after: string | undefined;
  /** The maximum number of pages to read. */
  count: number;
  /** Returns false once a newer reading has started; no further page is then read. */
  isNewest: () => boolean;
}

/** Reads pages in sequence until `count` pages are read, the list ends, or a newer reading starts. */
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
