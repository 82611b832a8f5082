// REST door of tenants.

import { Router } from 'express';
import type { TenantService } from './tenant.service.js';

export function tenantRoutes(tenants: TenantService): Router {
  const router = Router();
  router.get('/tenants/:id', async (req, res) => {
    res.json(await tenants.getWithKey(req.user, req.params.id));
  });
  return router;
}
