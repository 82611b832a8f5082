// The statements of find-or-create. The hot ones take and return sets, so that one statement serves a whole batch.

import { Columns, type Column } from '../../../platform/database/columns.js';
import type { NamedStatement } from '../../../platform/database/database.js';
import { judgeNumber } from '../../../platform/phone-numbers/number-validity.js';
import { broughtColumns, broughtNames, intakeColumns } from '../lead-fields.js';
import { hasSuppressed } from './erased-identity.service.js';
import type { LeadContact, WantedIdentity } from './lead-contact.js';
import { hasPossiblePlaceholderName } from './lead-identity.js';

/**
 * $1 tenant, $2 kinds, $3 match keys → the leads known under them. An identity never leads to a lead that was merged. Each is looked up by
 * itself: the LIMIT keeps the planner from reading tables whole, as it does while their statistics are young.
 */
export const selectLeadsByIdentity: NamedStatement = {
  name: 'select-leads-by-identity',
  text: `SELECT w.kind, w.match_key AS "matchKey", found.* FROM unnest($2::identity_kind[], $3::text[]) AS w (kind, match_key)
    CROSS JOIN LATERAL (
      SELECT ${intakeColumns} FROM lead_identities i JOIN leads l ON l.tenant_id = i.tenant_id AND l.id = i.lead_id
      WHERE i.tenant_id = $1 AND i.kind = w.kind AND i.match_key = w.match_key LIMIT 1
    ) found`,
};

/** An identity of a contact, with the contact's place among those of the call. */
export interface ContactIdentity extends Pick<WantedIdentity, 'kind' | 'matchKey'> {
  place: number;
}

export const contactIdentity: Record<string, Column<ContactIdentity>> = {
  place: ['int', ({ place }) => place],
  kind: ['identity_kind', ({ kind }) => kind],
  match_key: ['text', ({ matchKey }) => matchKey],
};

/**
 * Parts of a WITH. `contact` (place, lead_id) has the contacts of tenant $1 whose identities are all known, and lead to the same lead.
 * @param identities rows of `contactIdentity`, under the alias `w`
 */
export const knownContacts = (identities: string) => `wanted AS (
      SELECT w.place, found.lead_id FROM ${identities} LEFT JOIN LATERAL (
        SELECT d.lead_id FROM lead_identities d
        WHERE d.tenant_id = $1 AND d.kind = w.kind AND d.match_key = w.match_key LIMIT 1
      ) found ON true
    ), contact AS (
      SELECT place, (array_agg(lead_id))[1] AS lead_id FROM wanted
      GROUP BY place HAVING count(lead_id) = count(*) AND count(DISTINCT lead_id) = 1
    )`;

/** A condition: lead `l` may take the name that the network shows, as `mayTakeName` judges it. */
export const takesName = (name: string) => `coalesce(${name} <> l.name AND ${hasPossiblePlaceholderName('l')}, false)`;

export const identityColumns = new Columns<WantedIdentity & { leadId: string }>(
  {
    kind: ['identity_kind', ({ kind }) => kind],
    match_key: ['text', ({ matchKey }) => matchKey],
    value: ['text', ({ value }) => value],
    lead_id: ['uuid', ({ leadId }) => leadId],
  },
  3,
);

export interface NewLead {
  id: string;
  name: string;
  chat: string | null;
  /** The first contact, whose source and data the lead keeps. */
  contact: LeadContact;
}

export const newLeadColumns = new Columns<NewLead>(
  {
    id: ['uuid', ({ id }) => id],
    name: ['text', ({ name }) => name],
    chat: ['text', ({ chat }) => chat],
    number_validity: ['number_validity', ({ chat }) => judgeNumber(chat)],
    source: ['text', ({ contact }) => contact.source],
    usual_source: ['text', ({ contact }) => contact.usualSource],
    ...broughtColumns<NewLead>(({ contact }) => contact),
  },
  identityColumns.next,
);

/**
 * $1 tenant, $2 the source where no other is named, `identityColumns`, `newLeadColumns` of the leads among these that are new → the
 * identities that were written, each with its lead where that one was created.
 * The identity decides: the transaction that inserts it owns it, others wait for that commit and find it. A new lead that gets none of its
 * identities is not created. Foreign keys are checked when the statement ends, so the identities may go first. They are sorted, so that two
 * batches never lock in opposite order.
 */
export const insertIdentitiesAndLeads: NamedStatement = {
  name: 'insert-identities-and-leads',
  text: `WITH identified AS (
      INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id)
      SELECT $1, kind, match_key, value, lead_id
      FROM ${identityColumns.rows('w')}
      ORDER BY kind, match_key
      ON CONFLICT DO NOTHING
      RETURNING kind, match_key, lead_id
    ), created AS (
      INSERT INTO leads (tenant_id, id, name, chat, number_validity, ${broughtNames.join(', ')}, source, updated_at)
      SELECT $1, n.id, n.name, n.chat, n.number_validity, ${broughtNames.map((name) => `n.${name}`).join(', ')},
        coalesce(n.source, t.webhook_source_label, n.usual_source, $2), now()
      FROM ${newLeadColumns.rows('n')}
      JOIN tenants t ON t.id = $1
      WHERE n.id IN (SELECT lead_id FROM identified)
      RETURNING *
    )
    SELECT i.kind, i.match_key AS "matchKey", i.lead_id AS "leadId", l.id IS NOT NULL AS "isNewLead", ${hasSuppressed} AS "mayBeSuppressed", ${intakeColumns}
    FROM identified i LEFT JOIN created l ON l.id = i.lead_id`,
};

/** $1 tenant; columns of leads that are locked: $2 ids, $3 names, $4 chats, $5 their validities. */
export const updateKnownLeads: NamedStatement = {
  name: 'update-known-leads',
  text: `UPDATE leads l SET name = w.name, chat = w.chat, number_validity = w.validity, updated_at = now()
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::number_validity[]) AS w (id, name, chat, validity)
    WHERE l.tenant_id = $1 AND l.id = w.id`,
};

/** $1 tenant, $2 a lead that this transaction created, whose identities were given to another lead since. */
export const deleteNewLead: NamedStatement = {
  name: 'delete-new-lead',
  text: 'DELETE FROM leads WHERE tenant_id = $1 AND id = $2',
};

/** $1 tenant, $2 from, $3 to. */
export const moveIdentities: NamedStatement = {
  name: 'move-identities',
  text: 'UPDATE lead_identities SET lead_id = $3 WHERE tenant_id = $1 AND lead_id = $2',
};

/** $1 tenant, $2 ids, $3 lead ids, $4 sources, $5 metadata, $6 the source where neither the touch nor the tenant names one. */
export const insertLeadTouches: NamedStatement = {
  name: 'insert-lead-touches',
  text: `INSERT INTO lead_touches (tenant_id, id, lead_id, source, metadata)
    SELECT $1, n.id, n.lead_id, coalesce(n.source, t.webhook_source_label, $6), n.metadata
    FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::jsonb[]) AS n (id, lead_id, source, metadata)
    JOIN tenants t ON t.id = $1`,
};

/** $1 tenant; columns: $2 leads, $3 when they came: dates the leads and their touches back. */
export const dateLeadsBack: NamedStatement = {
  name: 'date-leads-back',
  text: `WITH dated AS (
      SELECT * FROM unnest($2::uuid[], $3::timestamptz[]) AS d (id, came_at)
    ), touched AS (
      UPDATE lead_touches t SET created_at = d.came_at FROM dated d WHERE t.tenant_id = $1 AND t.lead_id = d.id
    )
    UPDATE leads l SET created_at = d.came_at FROM dated d WHERE l.tenant_id = $1 AND l.id = d.id`,
};
