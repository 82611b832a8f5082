// The OpenAPI description of the query parameter `dryRun`, for all calls that post leads.

import { z } from 'zod';
import type { RouteParameter } from '../../platform/http/route-description.js';

export const dryRunParameter: RouteParameter = {
  name: 'dryRun',
  in: 'query',
  description: 'With `true` the answer is the lead as it would be, and nothing is kept. The limits count it.',
  schema: z.enum(['true', 'false']).default('false'),
  example: 'false',
};
