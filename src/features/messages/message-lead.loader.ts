// Reads the leads of messages. A message and its lead are read by two statements, and the lead may be erased between them.

import { loadById, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import type { ConnectionValue } from '../../platform/graphql/relay.type.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';

type Leads = Pick<LeadService, 'listByIds'>;
type OfLead = { leadId: string };

// The keys are the messages' records, because each reading has records of its own.
const read = new WeakMap<object, LeadRow>();

/** Returns the lead of a message. @throws AppError NOT_FOUND if it was erased in between: the query is then read once more */
export async function loadLead(context: GraphqlContext, leads: Leads, message: OfLead): Promise<LeadRow> {
  const lead = read.get(message) ?? (await find(context, leads, message));
  if (lead === null) throw context.loaders.gapAt('lead');
  return lead;
}

/**
 * Leaves out the messages of a page whose leads were erased in between, if the operation's pages do so. The page is then shorter than
 * requested, and its cursors stay valid.
 * @param fields the selected fields of the nodes
 */
export async function withoutErased<Node extends object>(
  context: GraphqlContext,
  leads: Leads,
  connection: ConnectionValue<Node>,
  fields: ReadonlyMap<string, unknown>,
): Promise<ConnectionValue<Node>> {
  if (!context.loaders.leavesGapsOut || !fields.has('lead')) return connection;
  const { edges } = connection;
  const isThere = await Promise.all(
    edges.map(async ({ node }) => !('leadId' in node) || (await prepare(context, leads, node as OfLead))),
  );
  return { ...connection, edges: edges.filter((_edge, index) => isThere[index]) };
}

/** @returns true if the message's lead exists; `loadLead` then returns it without another read */
async function prepare(context: GraphqlContext, leads: Leads, message: OfLead): Promise<boolean> {
  const lead = await find(context, leads, message);
  if (lead !== null) read.set(message, lead);
  return lead !== null;
}

function find(context: GraphqlContext, leads: Leads, { leadId }: OfLead): Promise<LeadRow | null> {
  return loadById(context, 'lead', leads, leadId);
}
