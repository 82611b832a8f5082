// Baselines of fan-out, as an HTTP server that is told to publish (`POST /publish?count=`). KIND=bare: a loop over `ws` sockets
// that sends the same bytes to each. KIND=graphql-ws: graphql-ws as its documentation shows it, with a topic in memory, which
// executes and serialises for each subscriber.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { GraphQLID, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { announcePort } from './intake-store.js';

interface TopicMessage {
  id: string;
  type: string;
  body: string;
  createdAt: string;
  lead: { id: string; name: string };
}

const leads = Array.from({ length: 100 }, (_, index) => ({ id: randomUUID(), name: `Lead ${index}` }));
const pageSize = 20;
const isBare = process.env['KIND'] === 'bare';

function makeMessage(index: number): TopicMessage {
  const lead = leads[index % leads.length]!;
  const body = `Bom dia! Ainda tem a casa da rua ${index}? Posso visitar amanhã às 15h.`;
  return { id: randomUUID(), type: 'text', body, createdAt: new Date().toISOString(), lead };
}

/** A topic in memory: each subscriber has a queue. */
class Topic {
  private readonly subscribers = new Set<(message: TopicMessage) => void>();

  publish(message: TopicMessage): void {
    for (const subscriber of this.subscribers) subscriber(message);
  }

  async *subscribe(): AsyncGenerator<TopicMessage> {
    const waiting: TopicMessage[] = [];
    let wake: () => void = () => undefined;
    const take = (message: TopicMessage) => {
      waiting.push(message);
      wake();
    };
    this.subscribers.add(take);
    try {
      for (;;) {
        const message = waiting.shift();
        if (message === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else yield message;
      }
    } finally {
      this.subscribers.delete(take);
    }
  }
}

const topic = new Topic();
const leadType = new GraphQLObjectType({
  name: 'Lead',
  fields: { id: { type: new GraphQLNonNull(GraphQLID) }, name: { type: new GraphQLNonNull(GraphQLString) } },
});
const messageType = new GraphQLObjectType<TopicMessage>({
  name: 'Message',
  fields: {
    id: { type: new GraphQLNonNull(GraphQLID) },
    type: { type: new GraphQLNonNull(GraphQLString) },
    body: { type: GraphQLString },
    createdAt: { type: new GraphQLNonNull(GraphQLString) },
    // The promise stands for the answer of a loader.
    lead: { type: new GraphQLNonNull(leadType), resolve: ({ lead }) => Promise.resolve(lead) },
  },
});
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { nothing: { type: GraphQLString } } }),
  subscription: new GraphQLObjectType({
    name: 'Subscription',
    fields: {
      messageReceived: {
        type: messageType,
        subscribe: () => topic.subscribe(),
        resolve: (message: unknown) => message,
      },
    },
  }),
});

const server = createServer((req, res) => {
  const count = Number(new URL(req.url ?? '', 'http://topic').searchParams.get('count'));
  res.end();
  publish(count);
});
const sockets = new WebSocketServer({ server, path: '/graphql', maxPayload: 262_144 });
if (!isBare) useServer({ schema }, sockets);

// Events go out in the product's pages, each socket's together, because one event at a time costs the listeners more.
function publish(left: number, index = 0): void {
  if (left === 0) return;
  const count = Math.min(left, pageSize);
  const messages = Array.from({ length: count }, (_, offset) => makeMessage(index + offset));
  if (isBare) sendToAll(messages);
  else for (const message of messages) topic.publish(message);
  setImmediate(publish, left - count, index + count);
}

function sendToAll(messages: readonly TopicMessage[]): void {
  const frames = messages.map((messageReceived) =>
    Buffer.from(JSON.stringify({ id: randomUUID(), type: 'next', payload: { data: { messageReceived } } })),
  );
  for (const socket of sockets.clients) for (const frame of frames) socket.send(frame, { binary: false });
}

server.listen(0, '127.0.0.1', () => announcePort(server.address()));
