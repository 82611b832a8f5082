// The definition of an attack. An attacker has what any customer has: the address of the service, one tenant with a few users, and a
// gateway of its own. A stranger has the address only.

import type { ProductTenant } from '../product.js';

/** Plain data: it is handed to another process. */
export interface Target {
  url: string;
  /** The attacker's own tenant. */
  tenant: ProductTenant;
  /** Signs chat webhooks. */
  webhookSecret: string;
  /** Leads of the attacker with as much in their custom fields as these may hold; their source is `large`. */
  largeLeadIds: readonly string[];
  /** Two leads of the attacker with tens of thousands of messages each. */
  longLeads: readonly { id: string; chat: string }[];
}

/** Notes how the attacker's own calls ended. */
export type Note = (outcome: string) => void;

export interface Attack {
  /** The name in the table's row. */
  name: string;
  /** Names that end with `silent.example` are asked of a DNS server that never answers. */
  needsSilentDns?: boolean;
  /** The attack begins with the retries of prepared sends; the bench makes them due at once, instead of after a minute. */
  waitsForRetries?: boolean;
  /** Makes everything ready. @returns the attack, which goes on until it is aborted; rejections after that do not count */
  prepare(target: Target, note: Note): Promise<(signal: AbortSignal) => Promise<unknown>>;
}

/** Every token of the attacker: each user has a limit of its own. */
export function tokensOf({ tenant }: Target): string[] {
  return [tenant.token, ...tenant.operatorTokens];
}
