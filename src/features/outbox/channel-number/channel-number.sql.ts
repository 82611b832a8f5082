// The results of gateways' look-ups of leads' numbers before the first message.

import type { NamedStatement } from '../../../platform/database/database.js';

/**
 * - `reached`: the lead has written, or a message has left for it: it needs no asking.
 * - `found`, `absent`: the gateway said so not long ago.
 * - `unasked`: nothing is known any more.
 */
export interface KnownNumber {
  state: 'reached' | 'found' | 'absent' | 'unasked';
  /** The number in the network's writing, where that differs. */
  canonical: string | null;
}

/** $1 tenant, $2 lead, $3 its message, $4 days that `found` counts for, $5 hours that `absent` does → `KnownNumber`. */
export const selectKnownNumber: NamedStatement = {
  name: 'select-known-number',
  text: `SELECT c.canonical, CASE
        WHEN l.last_inbound_position IS NOT NULL OR EXISTS (
          SELECT FROM messages m WHERE m.tenant_id = $1 AND m.lead_id = $2 AND m.id <> $3
            AND m.direction = 'OUTBOUND' AND m.sent_at IS NOT NULL) THEN 'reached'
        WHEN c.is_on_channel AND c.checked_at > now() - make_interval(days => $4::int) THEN 'found'
        WHEN NOT c.is_on_channel AND c.checked_at > now() - make_interval(hours => $5::int) THEN 'absent'
        ELSE 'unasked' END AS state
    FROM leads l LEFT JOIN channel_numbers c ON c.tenant_id = l.tenant_id AND c.lead_id = l.id AND c.number = l.chat
    WHERE l.tenant_id = $1 AND l.id = $2`,
};

/** $1 tenant, $2 lead, $3 the number that was asked for, $4 whether it is on the channel, $5 as the network writes it. */
export const storeChannelNumber: NamedStatement = {
  name: 'store-channel-number',
  text: `INSERT INTO channel_numbers (tenant_id, lead_id, number, is_on_channel, canonical, checked_at)
    SELECT $1, l.id, $3, $4, $5, now() FROM leads l WHERE l.tenant_id = $1 AND l.id = $2
    ON CONFLICT (tenant_id, lead_id) DO UPDATE SET number = EXCLUDED.number, is_on_channel = EXCLUDED.is_on_channel,
      canonical = EXCLUDED.canonical, checked_at = EXCLUDED.checked_at`,
};

/** $1 tenant, $2 lead: forgets that its number is not on the channel. */
export const forgetAbsentNumber: NamedStatement = {
  name: 'forget-absent-number',
  text: 'DELETE FROM channel_numbers WHERE tenant_id = $1 AND lead_id = $2 AND NOT is_on_channel',
};

export interface ChannelNumberRow {
  leadId: string;
  isOnChannel: boolean;
  /** The number in the network's writing. */
  number: string;
  checkedAt: Date;
}

/** $1 tenant, $2 leads → what is known of the numbers that they have now. */
export const selectChannelNumbers: NamedStatement = {
  name: 'select-channel-numbers',
  text: `SELECT c.lead_id AS "leadId", c.is_on_channel AS "isOnChannel", coalesce(c.canonical, c.number) AS number,
      c.checked_at AS "checkedAt"
    FROM channel_numbers c JOIN leads l ON l.tenant_id = c.tenant_id AND l.id = c.lead_id AND l.chat = c.number
    WHERE c.tenant_id = $1 AND c.lead_id = ANY($2::uuid[])`,
};
