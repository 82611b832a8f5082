// What subscriptions may cost at each event: each by itself, and in this process all of one user and all of one tenant. What several
// subscribers share is executed once, and counts once.

import { GraphQLError } from 'graphql';
import type { ErrorCode } from '../../platform/errors.js';
import type { UserPrincipal } from '../../platform/principal.js';
import type { ExceededLimit } from '../graphql/document-limit.js';

export const subscriptionLimits = {
  /** Of one subscription. */
  subscriptionCost: 2_500,
  /** Of all that differ, of one user. */
  userSubscriptionCost: 10_000,
  /** Of all that differ, of one tenant. */
  tenantSubscriptionCost: 50_000,
} as const;

type LimitName = keyof typeof subscriptionLimits;

const whose: Record<LimitName, string> = {
  subscriptionCost: 'The subscription costs',
  userSubscriptionCost: 'With it, your subscriptions that differ cost',
  tenantSubscriptionCost: "With it, your tenant's subscriptions that differ cost",
};

type Owner = Pick<UserPrincipal, 'tenantId' | 'userId'>;

/** Why a subscription is too costly by itself; undefined where it is not. */
export function findCostlySubscription(cost: number): GraphQLError | undefined {
  return cost > subscriptionLimits.subscriptionCost
    ? refusal('VALIDATION_FAILED', 'subscriptionCost', cost, 'ask for less')
    : undefined;
}

export class SubscriptionBudget {
  private readonly costs = new Map<string, number>();

  /**
   * Why another subscription may not start; undefined where it may.
   * @param cost what it adds for the tenant and for the user: nothing where they have the same already
   */
  findRefusal(owner: Owner, cost: { tenant: number; user: number }): GraphQLError | undefined {
    const user = this.costOf(userKey(owner)) + cost.user;
    const tenant = this.costOf(tenantKey(owner)) + cost.tenant;
    const advice = 'end others first, or ask for less';
    if (cost.user > 0 && user > subscriptionLimits.userSubscriptionCost)
      return refusal('RATE_LIMITED', 'userSubscriptionCost', user, advice);
    if (cost.tenant > 0 && tenant > subscriptionLimits.tenantSubscriptionCost)
      return refusal('RATE_LIMITED', 'tenantSubscriptionCost', tenant, advice);
    return undefined;
  }

  addForTenant(owner: Pick<Owner, 'tenantId'>, cost: number): void {
    this.add(tenantKey(owner), cost);
  }

  addForUser(owner: Pick<Owner, 'userId'>, cost: number): void {
    this.add(userKey(owner), cost);
  }

  private add(key: string, cost: number): void {
    const sum = this.costOf(key) + cost;
    if (sum > 0) this.costs.set(key, sum);
    else this.costs.delete(key);
  }

  private costOf(key: string): number {
    return this.costs.get(key) ?? 0;
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
