// The guides as text: each at its console address with `.md`, and their list at /llms.txt. The build publishes them, and the server writes
// the reader's own address into their examples.

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request, Response } from 'express';
import { hasCode } from '../../platform/observability/fault.js';

/** The build writes this where an address belongs. */
const anyAddress = '{{address}}';
const listPath = '/llms.txt';

export type Guides = ReadonlyMap<string, string>;

/** Reads the guides by path; none where the console was not built. @param folder of the built console */
export function readGuides(folder: string): Guides {
  return new Map(
    listNames(join(folder, 'docs')).map((name) => [
      name === 'llms.txt' ? listPath : `/docs/${name}`,
      readFileSync(join(folder, 'docs', name), 'utf8'),
    ]),
  );
}

/** @param publicAddress undefined where the service has no configured one: then it is the address that the caller used */
export function sendGuide(req: Request, res: Response, text: string, publicAddress: string | undefined): void {
  // A host is the caller's own writing, and stands in examples that people paste into a shell.
  const { protocol, host } = req;
  const called = hostPattern.test(host ?? '') ? `${protocol}://${host}` : 'https://leadwire.example';
  const body = Buffer.from(text.replaceAll(anyAddress, publicAddress ?? called));
  res
    .type(req.path === listPath ? 'text/plain; charset=utf-8' : 'text/markdown; charset=utf-8')
    .set('Cache-Control', 'no-cache')
    .set('ETag', `"${hash('sha256', body, 'base64url').slice(0, 22)}"`);
  if (req.fresh) res.status(304).end();
  else res.send(body);
}

const hostPattern = /^(?:[a-z\d.-]+|\[[a-f\d:]+\])(?::\d{1,5})?$/i;

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /\.(?:md|txt)$/.test(name));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return [];
    throw error;
  }
}
