// Requests without a key, a token or a user, each as large as it may be, or larger.

import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { getIntrospectionQuery } from 'graphql';
import { unknownFields } from '../attacks/stranger-attacks.js';
import { json, sendFrames, sendHttp, type BoundedRequest, type HttpRequest } from './bounded-request.js';

const bodyLength = 250_000;
const networkBodyLength = 2_900_000;
const headerLength = 15_000;
const filler = { text: 'x'.repeat(bodyLength) };
const repeat = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

const http = (name: string, make: () => HttpRequest, isDocument = false): BoundedRequest => ({
  name,
  isDocument,
  send: (subject) => sendHttp(subject, make()),
});
const get = (name: string, path: string, headers?: HttpRequest['headers'], isDocument = false) =>
  http(name, () => ({ method: 'GET', path, ...(headers === undefined ? {} : { headers }) }), isDocument);
const graphql = (name: string, payload: unknown, headers?: Record<string, string>) =>
  http(name, () => json('/graphql', payload, headers));
const socket = (name: string, frames: readonly unknown[]): BoundedRequest => ({
  name: `socket: ${name}`,
  send: (subject) => sendFrames(subject, frames),
});

const init = { type: 'connection_init' };
const wrongKey = () => ({ 'x-tenant-key': `lw_${randomBytes(32).toString('base64url')}` });
const wrongToken = (length: number) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: randomUUID(), filler: 'x'.repeat(length) };
  return `Bearer ${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${randomBytes(32).toString('base64url')}`;
};
const networkPath = () => `/webhooks/chat/cloud/${randomUUID()}`;

export const strangerRequests: readonly BoundedRequest[] = [
  ...['/public/leads', '/webhooks/leads', '/webhooks/chat/gateway/inbound', '/webhooks/chat/gateway/status'].flatMap(
    (path) => [
      http(`POST ${path}, 250 KB, no key`, () => json(path, filler)),
      http(`POST ${path}, 250 KB, a wrong key`, () => json(path, filler, wrongKey())),
    ],
  ),
  http('POST /webhooks/chat/cloud/…, 2.9 MB, not signed', () =>
    json(networkPath(), { text: 'x'.repeat(networkBodyLength) }),
  ),
  http('POST /webhooks/chat/cloud/…, 3 KB that inflate to 2.9 MB', () => ({
    path: networkPath(),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(Buffer.alloc(networkBodyLength)),
  })),
  http('POST /auth/token, 250 KB', () => json('/auth/token', { grantType: 'authorization_code', code: filler.text })),
  http('POST /auth/dev/token, 250 KB', () => json('/auth/dev/token', { idpSub: filler.text })),
  http('POST /leads/import, 1 MB', () => ({
    path: '/leads/import',
    headers: { 'content-type': 'text/csv' },
    body: `chat\n${'5511988887777\n'.repeat(75_000)}`,
  })),
  get('GET /leads/export.csv', '/leads/export.csv'),
  get('GET /chat/instances', `/chat/instances?accountId=${randomUUID()}`),
  get('GET of a path of 15 KB', `/${'x'.repeat(headerLength)}`),
  get(
    '6 KB of headers, 500 of them',
    '/graphql',
    Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 'xxxxx'])),
  ),
  get('60 KB of headers', '/graphql', { 'x-filler': 'x'.repeat(60_000) }),
  get('GET /', '/', {}, true),
  get('GET /openapi.json', '/openapi.json', {}, true),
  graphql('GraphQL: { __typename }', { query: '{ __typename }' }),
  graphql('GraphQL: a wrong token of 10 KB', { query: '{ me { id } }' }, { authorization: wrongToken(10_000) }),
  graphql('GraphQL: 26,000 unknown fields in a variable', unknownFields),
  graphql('GraphQL: 80,000 tokens', { query: `{ ${'me '.repeat(80_000)} }` }),
  graphql('GraphQL: 900 fields that do not exist', { query: `{ ${repeat(900, (index) => `auditLg${index}`)} }` }),
  graphql('GraphQL: 900 levels', { query: '{a'.repeat(900) + '}'.repeat(900) }),
  graphql('GraphQL: fragments that overlap', {
    query: `{ leads { edges { node { ${repeat(40, (index) => `...F${index}`)} } } } } ${repeat(40, (index) => `fragment F${index} on Lead { ${repeat(20, () => 'lastMessage { id }')} }`)}`,
  }),
  graphql('GraphQL: introspection', { query: getIntrospectionQuery() }),
  graphql(
    'GraphQL: a batch of 4,000',
    Array.from({ length: 4_000 }, () => ({ query: '{ me { id } }' })),
  ),
  graphql('GraphQL: a query to be remembered', {
    query: `{ me { id } } # ${'x'.repeat(200_000)}`,
    extensions: { persistedQuery: { version: 1, sha256Hash: 'f'.repeat(64) } },
  }),
  get('GraphQL: 15 KB by GET', `/graphql?query=${encodeURIComponent(`{ ${'a '.repeat(3_500)} }`)}`, {
    'apollo-require-preflight': '1',
  }),
  http('GraphQL: 250 KB as text/plain', () => ({
    path: '/graphql',
    headers: { 'content-type': 'text/plain' },
    body: filler.text,
  })),
  socket('init with 250 KB', [{ ...init, payload: filler }]),
  socket('init with a wrong token of 200 KB', [{ ...init, payload: { authorization: wrongToken(150_000) } }]),
  socket('26,000 unknown fields without a token', [init, { type: 'subscribe', id: '1', payload: unknownFields }]),
  socket('250 KB that are no JSON', [filler.text]),
];
