// Bodies that grow once they are read, and the refusal of each.

import { gzipSync } from 'node:zlib';

const megabyte = 1024 * 1024;
const bodyLimitBytes = 256 * 1024;
const depth = 10_000;
const nestedObjects = '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
const deepest = Math.floor(bodyLimitBytes / 2);

export const growingEndpoints = ['/webhooks/chat/gateway/inbound', '/webhooks/chat/gateway/status', '/public/leads'];

/** Each with its name, its headers and the status of its refusal. */
export const growingBodies: [string, Buffer, Record<string, string>, number][] = [
  ['a gzip bomb of 100 MB', gzipSync(Buffer.alloc(100 * megabyte, ' ')), { 'content-encoding': 'gzip' }, 413],
  ['a body of 1 MB', Buffer.alloc(megabyte, ' '), {}, 413],
  ['objects nested 10,000 deep', Buffer.from(nestedObjects), {}, 400],
  ['lists as deep as the limit lets', Buffer.from('['.repeat(deepest) + ']'.repeat(deepest)), {}, 400],
  ['a list of 100,000 numbers', Buffer.from(`[${Array(100_000).fill(1).join()}]`), {}, 422],
  ['a hundred thousand fields of __proto__', Buffer.from(`[{${Array(18_000).fill('"__proto__":1').join()}}]`), {}, 422],
  ['a quarter megabyte of NUL', Buffer.alloc(bodyLimitBytes, 0), {}, 400],
];
