// Talks GraphQL to an application as its clients do: over HTTP, and over graphql-transport-ws.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { createClient, type Client } from 'graphql-ws';
import WebSocket from 'ws';
import { withToken, type TestApp, type TestUser } from './test-app.js';

export interface GraphqlErrorBody {
  message: string;
  path?: (string | number)[];
  extensions: { code: string; errors?: { path: string; message: string }[]; requestId?: string };
}

export interface GraphqlAnswer<Data> {
  data?: Data | null;
  errors?: GraphqlErrorBody[];
}

/** Runs an operation; errors are part of the answer. */
export async function execute<Data, Variables>(
  app: TestApp,
  user: TestUser | undefined,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<GraphqlAnswer<Data>> {
  const headers = user === undefined ? {} : withToken(user);
  const response = await app.post('/graphql', { query: print(document), variables }, headers);
  return (await response.json()) as GraphqlAnswer<Data>;
}

/** Runs an operation that has to succeed. */
export async function query<Data, Variables>(
  app: TestApp,
  user: TestUser,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, errors } = await execute(app, user, document, variables);
  if (errors !== undefined || data == null) throw new Error(`the operation failed: ${JSON.stringify(errors)}`);
  return data;
}

/** The first error's code, and the input fields that it names. */
export function failureOf({ errors }: GraphqlAnswer<unknown>): {
  code: string | undefined;
  paths: string[] | undefined;
} {
  const [error] = errors ?? [];
  return { code: error?.extensions.code, paths: error?.extensions.errors?.map(({ path }) => path) };
}

/** A socket of this user; `dispose` closes it. It never retries. */
export function connect(app: TestApp, user: TestUser): Client {
  return createClient({
    url: app.socketUrl,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: true,
    connectionParams: { authorization: `Bearer ${user.token}` },
  });
}

/** The events that a subscription has received so far, and the way to wait for more. */
export class Subscription<Data> {
  readonly received: Data[] = [];
  readonly errors: unknown[] = [];
  private wake: () => void = () => undefined;
  private readonly unsubscribe: () => void;

  constructor(
    client: Client,
    document: TypedDocumentNode<Data, Record<string, unknown>>,
    variables: Record<string, unknown> = {},
  ) {
    this.unsubscribe = client.subscribe<Data>(
      { query: print(document), variables },
      {
        next: ({ data, errors }) => {
          if (data != null) this.received.push(data);
          if (errors !== undefined) this.errors.push(...errors);
          this.wake();
        },
        error: (error) => {
          this.errors.push(error);
          this.wake();
        },
        complete: () => this.wake(),
      },
    );
  }

  /** Resolves once the received events or the errors satisfy `condition`. */
  async until(condition: (received: Data[], errors: unknown[]) => boolean, timeoutMs = 60_000): Promise<Data[]> {
    const deadline = Date.now() + timeoutMs;
    while (!condition(this.received, this.errors)) {
      const remainingMs = deadline - Date.now();
      if (remainingMs <= 0)
        throw new Error(
          `waited ${timeoutMs} ms; received ${this.received.length}, at last ${JSON.stringify(this.received.slice(-3))}; ` +
            `errors ${JSON.stringify(this.errors)}`,
        );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, remainingMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.received;
  }

  end(): void {
    this.unsubscribe();
  }
}
