// GET /openapi.json: the REST routes of this process, for everybody.

import { Router } from 'express';
import { productVersion } from '../../config/product.js';
import { anyObject, type RouteDescription } from '../../platform/http/route-description.js';
import { healthDescriptions } from './health.routes.js';
import { toOpenApi } from './openapi-document.js';

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

/** @param descriptions the registered routes' descriptions; those of the transport itself are added here */
export function openApiRoutes(descriptions: readonly RouteDescription[]): Router {
  const router = Router();
  // The document is made at the first request: most processes are never asked for it.
  let document: string | undefined;
  router.get(path, (_req, res) => {
    document ??= JSON.stringify(toOpenApi([...descriptions, ...healthDescriptions, ownDescription], productVersion));
    res.type('application/json').set('Cache-Control', 'public, max-age=300').vary('Origin').send(document);
  });
  return router;
}
