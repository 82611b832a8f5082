// Tries of calls: what a call would be answered now, whatever route it is for. An ADMIN tries calls of its own tenant.

import { AppError } from '../../platform/errors.js';
import { parseInput } from '../../platform/input.js';
import { requireAdmin } from '../../platform/principal.js';
import type { Principal } from '../../platform/principal.js';
import { refusedTrial } from './call-trial.js';
import type { CallTrial, RouteTrial } from './call-trial.js';
import { callTrialSchema } from './call-trial.schema.js';
import type { CallTrialInput } from './call-trial.schema.js';

export class CallTrialService {
  /** @param trials one for each kind of route */
  constructor(private readonly trials: readonly RouteTrial[]) {}

  /**
   * What this call would be answered now. ADMIN only. Without `content-type` it counts as JSON. Changes nothing, counts against no limit.
   * @throws AppError VALIDATION_FAILED for wrong arguments; what is wrong with the call is the answer
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
