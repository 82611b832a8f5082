// The cost of subscriptions at each event is bounded: each by itself, and in this process all of one user and all of one tenant. A
// subscription that several subscribers share is executed once, and counts once.

import { GraphQLError } from 'graphql';
import type { ErrorCode } from '../../platform/errors.js';
import type { UserPrincipal } from '../../platform/principal.js';
import { Tally } from '../../platform/jobs/tally.js';
import type { ExceededLimit } from '../graphql/document-limit.js';

const subscriptionLimits = {
  /** The limit of one subscription. */
  subscriptionCost: 2_500,
  /** The limit of all subscriptions of one user that differ. */
  userSubscriptionCost: 10_000,
  /** The limit of all subscriptions of one tenant that differ. */
  tenantSubscriptionCost: 50_000,
} as const;

type LimitName = keyof typeof subscriptionLimits;

const whose: Record<LimitName, string> = {
  subscriptionCost: 'The subscription costs',
  userSubscriptionCost: 'With it, your subscriptions that differ cost',
  tenantSubscriptionCost: "With it, your tenant's subscriptions that differ cost",
};

type Owner = Pick<UserPrincipal, 'tenantId' | 'userId'>;

/** Returns the refusal of a subscription that is too costly by itself; undefined where it is not. */
export function findCostlySubscription(cost: number): GraphQLError | undefined {
  return cost > subscriptionLimits.subscriptionCost
    ? refusal('VALIDATION_FAILED', 'subscriptionCost', cost, 'ask for less')
    : undefined;
}

export class SubscriptionBudget {
  private readonly costs = new Tally();

  /**
   * Returns the refusal of another subscription; undefined where it may start.
   * @param cost the cost that it adds for the tenant and for the user: nothing where they have the same already
   */
  findRefusal(owner: Owner, cost: { tenant: number; user: number }): GraphQLError | undefined {
    const user = this.costs.of(userKey(owner)) + cost.user;
    const tenant = this.costs.of(tenantKey(owner)) + cost.tenant;
    const advice = 'end others first, or ask for less';
    if (cost.user > 0 && user > subscriptionLimits.userSubscriptionCost)
      return refusal('RATE_LIMITED', 'userSubscriptionCost', user, advice);
    if (cost.tenant > 0 && tenant > subscriptionLimits.tenantSubscriptionCost)
      return refusal('RATE_LIMITED', 'tenantSubscriptionCost', tenant, advice);
    return undefined;
  }

  addForTenant(owner: Pick<Owner, 'tenantId'>, cost: number): void {
    this.costs.add(tenantKey(owner), cost);
  }

  addForUser(owner: Pick<Owner, 'userId'>, cost: number): void {
    this.costs.add(userKey(owner), cost);
  }
}

const userKey = ({ userId }: Pick<Owner, 'userId'>) => `user ${userId}`;
const tenantKey = ({ tenantId }: Pick<Owner, 'tenantId'>) => `tenant ${tenantId}`;

function refusal(code: ErrorCode, name: LimitName, found: number, advice: string): GraphQLError {
  const allowed = subscriptionLimits[name];
  const limit: ExceededLimit = { name, found, allowed };
  const message = `${whose[name]} ${found} at each event; ${allowed} are allowed: ${advice}`;
  return new GraphQLError(message, { extensions: { code, limit } });
}

/**
 * Writes a text's UTF-8 to memory of its own. A small `Buffer.from` is a piece of a block that Node shares out, and keeps all 64 KiB of the
 * block from being freed.
 */
export function keptBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
