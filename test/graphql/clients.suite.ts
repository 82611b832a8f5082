// The clients that front ends use, unchanged: Apollo Client (HTTP, persisted queries, graphql-ws), urql, and graphql-ws alone. Each signs
// in, queries, mutates and subscribes.

import { createHash } from 'node:crypto';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { Client as UrqlClient, fetchExchange, subscriptionExchange } from '@urql/core';
import { OperationTypeNode, print } from 'graphql';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { waitForSubscribers, writeAs } from '../features/live/live-harness.js';
import { createLead } from '../features/messages/sending-harness.js';
import { InboxDocument, MeDocument, MessageReceivedDocument, SendMessageDocument } from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import type { TestApp, TestTenant } from '../support/test-app.js';

export function describeClients(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let token: string;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    token = await app.signIn(tenant.operator.idpSub);
  });

  const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex');
  const authorization = () => `Bearer ${token}`;

  function connect() {
    const connectionParams = () => ({ authorization: authorization() });
    return createClient({ url: app.socketUrl, webSocketImpl: WebSocket, connectionParams, retryAttempts: 0 });
  }

  /** Records a caller's requests as they went over the wire. */
  class Wire {
    readonly requests: { method: string; url: URL; body: string }[] = [];

    readonly fetch: typeof fetch = (input, init) => {
      const { method = 'GET', body } = init ?? {};
      this.requests.push({
        method,
        url: new URL(input instanceof Request ? input.url : input),
        body: typeof body === 'string' ? body : '',
      });
      return fetch(input, init);
    };
  }

  describe('Apollo Client', () => {
    const wire = new Wire();
    let sockets: ReturnType<typeof connect>;
    let client: ApolloClient;

    beforeAll(() => {
      sockets = connect();
      const http = new HttpLink({
        uri: `${app.url}/graphql`,
        fetch: wire.fetch,
        headers: { authorization: authorization() },
      });
      const link = ApolloLink.split(
        ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
        new GraphQLWsLink(sockets),
        new PersistedQueryLink({ sha256, useGETForHashedQueries: true }).concat(http),
      );
      client = new ApolloClient({ cache: new InMemoryCache(), link });
    });

    afterAll(async () => {
      client.stop();
      await sockets.dispose();
      await waitForSubscribers(app, tenant, 0);
    });

    test('queries by hash: the text travels once, then GETs with the hash alone', async () => {
      const ask = () => client.query({ query: MeDocument, fetchPolicy: 'network-only' });
      expect((await ask()).data?.me).toMatchObject({ id: tenant.operator.id, role: 'OPERATOR' });
      const first = wire.requests.splice(0);
      expect(first.map(({ method }) => method)).toEqual(['GET', 'POST']);
      expect(first[1]?.body).toContain('query Me');
      expect((await ask()).data?.me.id).toBe(tenant.operator.id);
      const [again, ...more] = wire.requests.splice(0);
      expect(more).toEqual([]);
      expect(again?.method).toBe('GET');
      expect(again?.url.searchParams.get('query')).toBeNull();
      expect(again?.url.searchParams.get('extensions')).toContain('sha256Hash');
    });

    test('mutates, and watches over graphql-ws', async () => {
      const leadId = await createLead(app, tenant, '4915211110001');
      const received = new Promise((resolve, reject) => {
        const events = client.subscribe({ query: MessageReceivedDocument, variables: { leadId } });
        events.subscribe({ next: ({ data }) => resolve(data?.messageReceived), error: reject });
      });
      await waitForSubscribers(app, tenant, 1);
      await writeAs(app, tenant, '4915211110001', 'from Apollo');
      expect(await received).toMatchObject({ body: 'from Apollo' });
      const { data } = await client.mutate({
        mutation: SendMessageDocument,
        variables: { input: { leadId, body: 'Oi' } },
      });
      expect(data?.sendMessage).toMatchObject({ status: 'QUEUED', body: 'Oi' });
    });

    test('gets our errors with their codes', async () => {
      const variables = { input: { leadId: tenant.id, body: 'Oi' } };
      const failure = client.mutate({ mutation: SendMessageDocument, variables });
      await expect(failure).rejects.toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
    });
  });

  describe('urql', () => {
    let sockets: ReturnType<typeof connect>;
    let client: UrqlClient;

    beforeAll(() => {
      sockets = connect();
      const forward = subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => {
            const payload = { query, variables: (variables ?? {}) as Record<string, unknown> };
            return { unsubscribe: sockets.subscribe(payload, sink as never) };
          },
        }),
      });
      client = new UrqlClient({
        url: `${app.url}/graphql`,
        exchanges: [fetchExchange, forward],
        preferGetMethod: false,
        fetchOptions: () => ({ headers: { authorization: authorization() } }),
      });
    });

    afterAll(async () => {
      await sockets.dispose();
      await waitForSubscribers(app, tenant, 0);
    });

    test('queries, by POST and by GET, mutates, and watches', async () => {
      const leadId = await createLead(app, tenant, '4915211110002');
      expect((await client.query(MeDocument, {})).data?.me.id).toBe(tenant.operator.id);
      const byGet = await client.query(InboxDocument, { first: 1 }, { preferGetMethod: 'force' });
      expect(byGet.data?.inbox.edges).toHaveLength(1);
      const received = new Promise<unknown>((resolve) => {
        client.subscription(MessageReceivedDocument, { leadId }).subscribe(({ data, error }) => {
          resolve(error ?? data?.messageReceived);
        });
      });
      await waitForSubscribers(app, tenant, 1);
      await writeAs(app, tenant, '4915211110002', 'from urql');
      expect(await received).toMatchObject({ body: 'from urql' });
      const { data, error } = await client.mutation(SendMessageDocument, { input: { leadId, body: 'Oi' } });
      expect({ data, error }).toMatchObject({ data: { sendMessage: { status: 'QUEUED' } }, error: undefined });
      const failed = await client.query('{ nothing }', {});
      expect(failed.error?.graphQLErrors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
    });
  });

  test('graphql-ws alone queries, mutates and watches', async () => {
    const client = connect();
    try {
      const leadId = await createLead(app, tenant, '4915211110003');
      const ask = async (query: string, variables: Record<string, unknown> = {}) => {
        const { value } = await client.iterate({ query, variables }).next();
        return value as { data?: Record<string, unknown> };
      };
      expect((await ask(print(MeDocument))).data).toMatchObject({ me: { id: tenant.operator.id } });
      const sent = await ask(print(SendMessageDocument), { input: { leadId, body: 'Oi' } });
      expect(sent.data).toMatchObject({ sendMessage: { status: 'QUEUED' } });
      const events = client.iterate({ query: print(MessageReceivedDocument), variables: { leadId } });
      const next = events.next();
      await waitForSubscribers(app, tenant, 1);
      await writeAs(app, tenant, '4915211110003', 'from graphql-ws');
      expect((await next).value).toMatchObject({ data: { messageReceived: { body: 'from graphql-ws' } } });
      await events.return?.();
    } finally {
      await client.dispose();
    }
  });
}
