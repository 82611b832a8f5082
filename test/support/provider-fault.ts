// Faults of a provider's server, request by request. Each server itself owns its answers without a fault.

import { answering, type Script } from '../providers/scripted-gateway.js';

/** The request arrives, and no whole answer comes back. */
export const lostAnswers: [name: string, script: Script][] = [
  ['the connection is reset', (_request, response) => response.socket?.resetAndDestroy()],
  ['the connection is closed without a word', (_request, response) => response.socket?.end()],
  ['the answer is no HTTP', (_request, response) => response.socket?.end('hello\r\n\r\n')],
  [
    'the answer breaks off',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"key":');
      setImmediate(() => response.socket?.destroy());
    },
  ],
  ['the answer has no end', pourForEver],
];

/** The request arrives, and the caller's time runs out. */
export const slowAnswers: [name: string, script: Script][] = [
  ['nothing comes', () => undefined],
  [
    'headers come, and no body',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
    },
  ],
];

/** Answers with a page of a proxy that stands between the product and the provider. */
export function html(status: number): Script {
  return answering(status, `<html><body>${status}</body></html>`, { 'content-type': 'text/html' });
}

/** An answer that comes when `release` is called, which may be after the caller has gone. */
export function late(script: Script): { script: Script; release: () => void } {
  const waiting: (() => void)[] = [];
  return {
    script: (request, response) => void waiting.push(() => script(request, response)),
    release: () => waiting.splice(0).forEach((answer) => answer()),
  };
}

export function pourForEver(...[, response]: Parameters<Script>): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const pour = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
  };
  response.on('drain', pour);
  pour();
}
