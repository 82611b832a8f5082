// The REST routes that an application serves, as its routers know them.

import { routesOf } from '../../src/routes.js';
import type { TestApp } from '../support/test-app.js';

/** Lists the routes as `GET /tenants/:id`. */
export function enumerateRoutes(app: TestApp): string[] {
  return routesOf(app.app.services).flatMap(({ stack }) =>
    stack.flatMap(({ route }) => {
      if (route === undefined) throw new Error('a router holds something that is no route');
      return route.stack.map(({ method }) => `${method.toUpperCase()} ${route.path}`);
    }),
  );
}
