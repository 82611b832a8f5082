// GET /openapi.json: the REST routes of this process, for everybody.

import { readFileSync } from 'node:fs';
import { Router } from 'express';
import { anyObject } from '../../platform/route-description.js';
import type { RouteDescription } from '../../platform/route-description.js';
import { healthDescriptions } from './health.openapi.js';
import { toOpenApi } from './openapi.js';

const path = '/openapi.json';

const ownDescription: RouteDescription = {
  method: 'get',
  path,
  operationId: 'getOpenApi',
  tag: 'Health',
  summary: 'This document',
  credentials: [],
  answers: { 200: { description: 'An OpenAPI 3.1 document.', schema: anyObject } },
  problems: [],
};

/** @param descriptions of the registered routes; those of the transport itself are added here */
export function openApiRoutes(descriptions: readonly RouteDescription[]): Router {
  const router = Router();
  // Made for the first who asks: most processes are never asked.
  let document: string | undefined;
  router.get(path, (_req, res) => {
    document ??= JSON.stringify(toOpenApi([...descriptions, ...healthDescriptions, ownDescription], readVersion()));
    res.type('application/json').set('Cache-Control', 'public, max-age=300').vary('Origin').send(document);
  });
  return router;
}

// The same way from src and from dist.
function readVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
