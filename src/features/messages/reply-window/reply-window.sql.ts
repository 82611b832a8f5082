// The reply window of networks that take free texts only for a day after the lead's last message.

import type { NamedStatement } from '../../../platform/database/database.js';
import { hasReplyWindowById } from '../../chat-instances/chat-instance.sql.js';

// A message's id is made when the message arrives, which is not before it was written. So only a lead's messages of the last day are read.
const firstIdOfWindow = `(lpad(to_hex(((extract(epoch FROM now()) - 90000) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/**
 * A subquery: the time when the window of a lead and an instance closes; null if none of the lead's messages is younger than a day. It
 * counts from the time of the last message by the network's clock, but never from a time in the future.
 */
export const windowClosesAt = (tenant: string, lead: string, instance: string) => `(
      SELECT max(least(coalesce(heard.provider_timestamp, heard.received_at), heard.received_at)) + interval '24 hours'
      FROM messages heard
      WHERE heard.tenant_id = ${tenant} AND heard.lead_id = ${lead} AND heard.instance_id = ${instance}
        AND heard.direction = 'INBOUND' AND NOT heard.is_notice AND heard.id >= ${firstIdOfWindow})`;

/** A condition: the window of a lead and an instance of tenant $1 is closed. */
export const isWindowClosed = (lead: string, instance: string) =>
  `coalesce(${windowClosesAt('$1', lead, instance)} <= now(), true)`;

/** The window of a lead at an instance. */
export interface WindowRow {
  leadId: string;
  instanceId: string;
  /** The time when the window closes; null if the network has no window. */
  closesAt: Date | null;
  isOpen: boolean;
}

/** $1 tenant; columns: $2 leads, $3 instances → their windows. Instances of another tenant are left out. */
export const selectReplyWindows: NamedStatement = {
  name: 'select-reply-windows',
  text: `SELECT r."leadId", r."instanceId", CASE WHEN r.closes_at > now() THEN r.closes_at END AS "closesAt",
      NOT r.has_window OR coalesce(r.closes_at > now(), false) AS "isOpen"
    FROM (
      SELECT p.lead_id AS "leadId", p.instance_id AS "instanceId", p.has_window,
        CASE WHEN p.has_window THEN ${windowClosesAt('$1', 'p.lead_id', 'p.instance_id')} END AS closes_at
      FROM (
        SELECT lead_id, instance_id, ${hasReplyWindowById('instance_id')} AS has_window
        FROM unnest($2::uuid[], $3::uuid[]) AS w (lead_id, instance_id)
      ) p
      WHERE p.has_window IS NOT NULL
    ) r`,
};

/** $1 tenant, $2 instance, whose network has a window; $3 leads → those leads whose window is closed. */
export const selectClosedWindows: NamedStatement = {
  name: 'select-closed-reply-windows',
  text: `SELECT w.lead_id AS "leadId" FROM unnest($3::uuid[]) AS w (lead_id) WHERE ${isWindowClosed('w.lead_id', '$2::uuid')}`,
};
