// Dry runs of webhook calls, on any route: they say how a call would be answered now. An ADMIN runs calls of its own tenant.

import { AppError } from '../../platform/errors.js';
import { parseInput } from '../../platform/input.js';
import { requireAdmin, type Principal } from '../../platform/principal.js';
import { refusedTrial, type CallTrial, type RouteTrial } from './call-trial.js';
import { callTrialSchema, type CallTrialInput } from './call-trial.schema.js';

export class CallTrialService {
  /** @param trials one trial for each kind of route */
  constructor(private readonly trials: readonly RouteTrial[]) {}

  /**
   * Returns the answer that this call would get now. ADMIN only. A call without `content-type` counts as JSON. Changes nothing, counts
   * against no limit.
   * @throws AppError VALIDATION_FAILED for wrong arguments. A fault of the call itself is part of the answer.
   */
  async tryCall(principal: Principal | undefined, input: CallTrialInput): Promise<CallTrial> {
    const admin = requireAdmin(principal);
    const { route: written, headers, body } = parseInput(callTrialSchema, input);
    const route = written.replace(/\/$/, '');
    const trial = this.trials.find((one) => one.takes(route));
    if (trial === undefined) return refusedTrial(new AppError('NOT_FOUND', 'There is no such path'));
    const contentType = headers?.['content-type'] ?? 'application/json';
    return trial.tryCall(admin, { route, headers: headers ?? {}, contentType, body: Buffer.from(body) });
  }
}
