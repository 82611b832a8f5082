// Queries and mutations, through urql; subscriptions belong to live/feed.ts. Failures become RequestError.

import { Client, createRequest, fetchExchange, type AnyVariables, type CombinedError } from '@urql/core';
import { accessToken, renew, sessionState } from '../app/session.js';
import { noteLimit } from './call-limit.js';
import { RequestError } from './request-error.js';

let lastKey = 0;

const client = new Client({
  url: '/graphql',
  preferGetMethod: false,
  requestPolicy: 'network-only',
  exchanges: [fetchExchange],
});

/** A generated GraphQL document. `__apiType` exists for the compiler only. */
export interface Operation<Data, Variables> {
  __apiType?: (variables: Variables) => Data;
  toString(): string;
}

type Given<Variables> = Record<string, never> extends Variables ? [variables?: Variables] : [variables: Variables];

/** @throws RequestError; UNAUTHENTICATED for what was read where another user is signed in by now, or none */
export async function ask<Data, Variables>(
  document: Operation<Data, Variables>,
  ...[variables]: Given<Variables>
): Promise<Data> {
  const asker = userNow();
  const text = document.toString();
  const given = (variables ?? {}) as AnyVariables;
  const sha256Hash = unknownTexts.has(text) ? undefined : await hashOf(text);
  const { data, error, requestId } = await execute<Data>(text, given, sha256Hash);
  // Stores outlive the session. A change has been made in any case, and its caller hears of it.
  if (!isMutation(text)) requireUser(asker);
  if (error === undefined) return data as Data;
  const failure = toRequestError(error, requestId);
  if (failure.code === 'RATE_LIMITED') noteLimit(failure.retryAfterSeconds);
  if (failure.code !== 'PERSISTED_QUERY_NOT_FOUND') throw failure;
  // The server executed nothing, because it knows the operations of another build. Sending the text is therefore safe.
  unknownTexts.add(text);
  return ask(document, ...([variables] as Given<Variables>));
}

async function execute<Data>(text: string, given: AnyVariables, sha256Hash: string | undefined) {
  const extensions = sha256Hash === undefined ? undefined : { persistedQuery: { version: 1 as const, sha256Hash } };
  // Each request gets its own key. urql answers equal queries together, and an answer that began before a change would serve callers after
  // it.
  const request = { ...createRequest<Data>(text, given, extensions), key: (lastKey += 1) };
  // Calls overlap: each keeps the id of its own answer.
  let requestId: string | undefined;
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const response = await authorizedFetch(input, init);
    requestId = response.headers.get('x-request-id') ?? undefined;
    return response;
  };
  const answer = isMutation(text)
    ? client.executeMutation<Data>(request, { fetch })
    : client.executeQuery<Data>(request, { fetch });
  return { ...(await answer.toPromise()), requestId };
}

const isMutation = (text: string) => /^\s*mutation\b/.test(text);

const userNow = () => sessionState.value.user?.id;

/** @throws RequestError if another user is signed in now, or none */
function requireUser(asker: string | undefined): void {
  if (userNow() !== asker) throw new RequestError('UNAUTHENTICATED', 'The session has ended');
}

const unknownTexts = new Set<string>();
const hashes = new Map<string, Promise<string>>();

/** Returns the SHA-256 by which the server knows the operation. Returns undefined outside a secure context: the text is then sent. */
function hashOf(text: string): Promise<string> | undefined {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (subtle === undefined) return undefined;
  const hash = hashes.get(text) ?? subtle.digest('SHA-256', new TextEncoder().encode(text)).then(toHex);
  hashes.set(text, hash);
  return hash;
}

const toHex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

const pausesMs = [500, 1_500, 4_000];

const maxWaitSeconds = 60;

/** Calls `ask` and repeats it after temporary failures. Use it for reads and for calls that are safe to repeat. @throws RequestError */
export async function askAgain<Data, Variables>(
  document: Operation<Data, Variables>,
  ...variables: Given<Variables>
): Promise<Data> {
  const asker = userNow();
  for (const pause of pausesMs) {
    try {
      return await ask(document, ...variables);
    } catch (error) {
      if (!(error instanceof RequestError) || !error.isTemporary) throw error;
      // The server counts each attempt against the limit, and no attempt succeeds before `retryAfterSeconds` is over.
      const wait = Math.min(error.retryAfterSeconds, maxWaitSeconds) * 1_000;
      await new Promise((resolve) => setTimeout(resolve, wait + pause));
      requireUser(asker);
    }
  }
  return ask(document, ...variables);
}

// Sends the request with a token. After a 401 the token is renewed once: the server may see it expire before this clock does.
async function authorizedFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const send = (token: string) =>
    fetch(input, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` },
    });
  const asker = userNow();
  const response = await send(await accessToken());
  return response.status === 401 && userNow() === asker ? send(await renew()) : response;
}

function toRequestError({ networkError, graphQLErrors }: CombinedError, requestId: string | undefined): RequestError {
  if (networkError instanceof RequestError) return networkError;
  const [first] = graphQLErrors;
  if (first === undefined) return new RequestError('NETWORK', networkError?.message ?? 'No answer');
  const extensions = first.extensions as Record<string, unknown> & { code?: string };
  return new RequestError(extensions.code ?? 'INTERNAL', first.message, requestId, extensions);
}
