// The HTTP part of GraphQL over HTTP: a request's operation, the probe that anybody may send, the answer's media type and its status. Some
// clients know only `application/json`.

import type { Request } from 'express';
import '../../platform/http/express-request.js';
import { isPlainObject } from '../../platform/input/input.js';

const graphqlType = 'application/graphql-response+json; charset=utf-8';
const jsonType = 'application/json; charset=utf-8';

/** The media type of an answer; undefined where the caller takes neither of ours. */
export function responseTypeOf(req: Request): string | undefined {
  const accepted = req.accepts(['application/json', 'application/graphql-response+json']);
  if (accepted === false) return undefined;
  return accepted === 'application/graphql-response+json' ? graphqlType : jsonType;
}

/**
 * Returns whether a document that is refused is answered with 200: GraphQL over HTTP promises so to callers that ask for `application/json`
 * by name. All other callers get 400.
 */
export function refusesWithStatus200(accept: string | undefined): boolean {
  return (
    accept !== undefined && /application\/json/i.test(accept) && !/application\/graphql-response\+json/i.test(accept)
  );
}

const maxProbeBytes = 1_024;
const probe = /^\s*(?:query\s*)?\{\s*__typename\s*\}\s*$/;

/** Returns whether a request asks `{ __typename }` and nothing else, as monitors do: it is the one operation that anybody may run. */
export function isProbe(req: Request): boolean {
  if (req.method === 'GET') return isProbeText(new URLSearchParams(searchOf(req)));
  if (req.rawBody === undefined || req.rawBody.length > maxProbeBytes) return false;
  const body = parsed(req.rawBody.toString());
  return isPlainObject(body) && isProbeText(new Map(Object.entries(body)));
}

function isProbeText(parameters: Pick<ReadonlyMap<string, unknown>, 'get' | 'has'>): boolean {
  const query = parameters.get('query');
  return typeof query === 'string' && probe.test(query) && !parameters.has('extensions');
}

/** The operation that a request asks for, before its other parts are checked. */
export interface AskedOperation {
  query: string | undefined;
  persistedHash: string | undefined;
  operationName: string | undefined;
}

/** Returns the operation that a request carries: its text or the hash that stands for it, and the operation's name in the text. */
export function operationOf(req: Request): AskedOperation {
  const { query, extensions, operationName } =
    req.method === 'GET' ? parametersOf(req) : ((req.body ?? {}) as Record<string, unknown>);
  const persisted = (extensions as { persistedQuery?: { sha256Hash?: unknown } } | undefined | null)?.persistedQuery;
  const sentHash = persisted?.sha256Hash;
  return {
    query: typeof query === 'string' ? query : undefined,
    persistedHash: typeof sentHash === 'string' ? sentHash : undefined,
    operationName: typeof operationName === 'string' ? operationName : undefined,
  };
}

/** The query of a URL, with its question mark. */
export function searchOf({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  const start = originalUrl.indexOf('?');
  return start === -1 ? '' : originalUrl.slice(start);
}

// Apollo reports whatever is wrong with the parameters.
function parametersOf(req: Request): Record<string, unknown> {
  const parameters = new URLSearchParams(searchOf(req));
  return {
    query: parameters.get('query') ?? undefined,
    extensions: parsed(parameters.get('extensions')),
    operationName: parameters.get('operationName') ?? undefined,
  };
}

function parsed(json: string | null): unknown {
  try {
    return json === null ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
