// Dry runs of webhook calls, on any route: they say how a call would be answered now. An ADMIN runs calls of its own tenant.

import { AppError } from '../../platform/errors.js';
import { parseInput } from '../../platform/input/input.js';
import { requireAdmin, type Principal } from '../../platform/principal.js';
import { refusedDryRun, type CallDryRun, type RouteDryRun } from './call-dry-run.js';
import { callDryRunSchema, type CallDryRunInput } from './call-dry-run.schema.js';

export class CallDryRunService {
  /** @param routes one for each kind of route */
  constructor(private readonly routes: readonly RouteDryRun[]) {}

  /**
   * Returns the answer that this call would get now. ADMIN only. A call without `content-type` counts as JSON. Changes nothing, counts
   * against no limit.
   * @throws AppError VALIDATION_FAILED for wrong arguments. A fault of the call itself is part of the answer.
   */
  async run(principal: Principal | undefined, input: CallDryRunInput): Promise<CallDryRun> {
    const admin = requireAdmin(principal);
    const { route: written, headers, body } = parseInput(callDryRunSchema, input);
    const route = pathIn(written);
    const dryRun = this.routes.find((one) => one.takes(route));
    if (dryRun === undefined) return refusedDryRun(new AppError('NOT_FOUND', 'There is no such path'));
    const contentType = headers?.['content-type'] ?? 'application/json';
    return dryRun.run(admin, { route, headers: headers ?? {}, contentType, body: Buffer.from(body) });
  }
}

/** A gateway is configured by a whole address, whose host and query decide nothing. */
function pathIn(route: string): string {
  return route
    .replace(/^https?:\/\/[^/?#]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '');
}
