// Baseline: Mercurius with graphql-jit from the first request on, one resolver over the hand-written statement, nobody signed in.

import fastify from 'fastify';
import mercurius from 'mercurius';
import { InboxStore } from './inbox-store.js';
import { announcePort } from './intake-store.js';

const schema = `
  type Query { inbox(first: Int!, after: String): LeadConnection! }
  type LeadConnection { edges: [LeadEdge!]! pageInfo: PageInfo! }
  type LeadEdge { cursor: String! node: Lead! }
  type PageInfo { endCursor: String hasNextPage: Boolean! }
  type Lead { id: ID! name: String! chat: String source: String! unreadCount: Int! updatedAt: String! lastMessage: Message assignee: User }
  type Message { id: ID! direction: String! type: String! status: String body: String createdAt: String! }
  type User { id: ID! name: String email: String! }
`;

const store = new InboxStore();
const app = fastify();
await app.register(mercurius, {
  schema,
  jit: 1,
  resolvers: { Query: { inbox: (_source, page) => store.read(page) } },
});
await app.listen({ port: 0, host: '127.0.0.1' });
announcePort(app.server.address());
