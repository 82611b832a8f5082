// What liveness and readiness say of themselves.

import { z } from 'zod';
import type { RouteDescription } from '../../platform/route-description.js';

const shared = { method: 'get', tag: 'Health', credentials: [], problems: [], unlimited: true } as const;
const ok = z.object({ status: z.literal('ok') });

export const healthDescriptions: RouteDescription[] = [
  {
    ...shared,
    path: '/health/live',
    operationId: 'isLive',
    summary: 'Whether the process is alive',
    answers: { 200: { description: 'It is.', schema: ok } },
  },
  {
    ...shared,
    path: '/health/ready',
    operationId: 'isReady',
    summary: 'Whether the process can serve; answered within 2 s',
    answers: {
      200: {
        description: 'It can. `degraded` names what it does without.',
        schema: ok.extend({ degraded: z.array(z.string()).optional() }),
      },
      503: {
        description: 'It cannot. `down` says why.',
        schema: z.object({ status: z.literal('unavailable'), down: z.array(z.string()) }),
      },
    },
  },
];
