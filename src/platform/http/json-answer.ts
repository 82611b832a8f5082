// Sends short JSON answers without the checks that Express makes for each (its settings, the type's charset, whether the caller has it
// already). Their results are the same for all of these answers.

import type { Response } from 'express';

const maxLength = 4 * 1024;

/**
 * Sends JSON like `res.json`, with a line feed at the end: a shell's prompt then starts its own line. Longer answers go through `res.json`,
 * and are counted while they wait to be read.
 */
export function sendJson(res: Response, value: object): void {
  const text = `${JSON.stringify(value)}\n`;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (text.length > maxLength) return void res.send(text);
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text, 'utf8');
}
