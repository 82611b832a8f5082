// What an attack is. Attackers have what any customer has: the address of the service, one tenant with a few users, and a gateway
// of their own. Those without a name have the address only.

import type { ProductTenant } from '../product.js';

/** Plain data: it is handed to another process. */
export interface Target {
  url: string;
  /** The attacker's own. */
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
  /** As the row of the table says it. */
  name: string;
  /** Names that end with `silent.example` are asked of a DNS server that never answers. */
  needsSilentDns?: boolean;
  /** It begins when what was prepared is tried again, after a minute: the clock is helped. */
  waitsForRetries?: boolean;
  /** Makes everything ready. @returns what goes on until it is aborted; rejections after that do not count */
  prepare(target: Target, note: Note): Promise<(signal: AbortSignal) => Promise<unknown>>;
}

/** Every token of the attacker: each user has a limit of its own. */
export function tokensOf({ tenant }: Target): string[] {
  return [tenant.token, ...tenant.operatorTokens];
}
