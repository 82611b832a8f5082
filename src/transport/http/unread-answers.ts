// The bytes of answers that wait are bounded: large answers count for their caller and its tenant until they have left.

import type { Express, Request, Response } from 'express';
import { AppError } from '../../platform/errors.js';
import { Tally } from '../../platform/jobs/tally.js';
import { rateLimitSubjectOf } from './authenticate.js';
import { requestAddress } from './client-address.js';
import { subjectKey } from './rate-limit.js';

export interface UnreadLimits {
  /** The limit of one user, tenant key or address. */
  bytesPerCaller: number;
  bytesPerTenant: number;
}

export const defaultUnreadLimits: UnreadLimits = {
  bytesPerCaller: 16 * 1024 * 1024,
  bytesPerTenant: 32 * 1024 * 1024,
};

// Smaller answers are bounded by the rate limit, and by the time that they may wait.
const countedFromBytes = 16 * 1024;
const retryAfterSeconds = 1;

export class UnreadAnswers {
  private readonly bytesByHolder = new Tally();

  /** @param onRefusal called for each answer that is not given */
  constructor(
    private readonly limits: UnreadLimits,
    private readonly onRefusal: () => void,
  ) {}

  /** Counts the application's answers from now on: a large one beyond the limits is replaced by RATE_LIMITED. */
  guard(app: Express): void {
    const { response } = app as Express & { response: Response };
    const send = response.send;
    const hold = (res: Response, body: unknown) => this.hold(res, body);
    response.send = function (this: Response, body?: unknown) {
      hold(this, body);
      return send.call(this, body);
    };
  }

  /** @throws AppError RATE_LIMITED; a caller that holds nothing yet is never refused for itself, whatever the answer's length */
  private hold(res: Response, body: unknown): void {
    if ((typeof body !== 'string' && !Buffer.isBuffer(body)) || body.length < countedFromBytes) return;
    const bytes = Buffer.byteLength(body);
    const { bytesPerCaller, bytesPerTenant } = this.limits;
    const { caller, tenant } = holdersOf(res.req);
    if (this.exceeds(caller, bytes, bytesPerCaller)) throw this.refusal('this caller', bytesPerCaller);
    if (tenant !== undefined && this.exceeds(tenant, bytes, bytesPerTenant))
      throw this.refusal("this tenant's callers", bytesPerTenant);
    const holders = tenant === undefined ? [caller] : [caller, tenant];
    for (const holder of holders) this.bytesByHolder.add(holder, bytes);
    res.on('close', () => {
      for (const holder of holders) this.bytesByHolder.add(holder, -bytes);
    });
  }

  private exceeds(holder: string, bytes: number, limit: number): boolean {
    const held = this.bytesByHolder.of(holder);
    return held > 0 && held + bytes > limit;
  }

  private refusal(holder: string, limit: number): AppError {
    this.onRefusal();
    const detail = `Answers of ${limit / (1_024 * 1_024)} MiB wait to be read by ${holder}: read them, then ask again`;
    return new AppError('RATE_LIMITED', detail, { retryAfterSeconds });
  }
}

function holdersOf(req: Request): { caller: string; tenant: string | undefined } {
  const { tenantId } = req.tenantKey ?? req.user ?? {};
  const subject = rateLimitSubjectOf(req);
  return {
    // Webhook calls are counted by their items, and hold answers by their key.
    caller: subject === undefined ? `key:${tenantId}` : subjectKey(subject, requestAddress(req)),
    tenant: tenantId === undefined ? undefined : `tenant:${tenantId}`,
  };
}
