// The security headers that every HTTP answer gets. A route may replace some: the landing page and the console say which scripts may run,
// the OpenAPI document how long it may be kept.

import type { ServerResponse } from 'node:http';

const oneYearSeconds = 31_536_000;

/** The header for callers who reach us over TLS. It leaves out subdomains, which may belong to others. */
export const strictTransport = ['strict-transport-security', `max-age=${oneYearSeconds}`] as const;

// The headers are spelt out rather than set by `helmet`, whose middleware runs a dozen functions for each request, most of them for pages.
export const securityHeaders = Object.entries({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Nothing but the landing page and the console is to be shown, and nothing at all within another page.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  // Pages of other origins get at an answer by CORS only.
  'cross-origin-resource-policy': 'same-origin',
  // Each answer belongs to one caller.
  'cache-control': 'no-store',
});

/** Call it before the head is sent. @param isSecure whether the caller's way to us, proxies included, is https */
export function secureAnswer(answer: ServerResponse, isSecure: boolean): void {
  for (const [name, value] of securityHeaders) answer.setHeader(name, value);
  if (isSecure) answer.setHeader(...strictTransport);
}
