// Reads a call that stands in the journal: its route tells how, as it did when the call arrived.

import { AppError } from '../../platform/errors.js';
import { parseInput } from '../../platform/input.js';
import { parseJsonBody } from '../../platform/json-body.js';
import type { NetworkLine } from '../chat-instances/meta-webhook.service.js';
import { leadBodySchema } from '../leads/lead.schema.js';
import { readChat, readCloudChat } from './chat-reader.js';
import type { ReadChat } from './chat-reader.js';
import type { LeadIntake, ReadWebhookCall, WebhookCall } from './webhook-call.js';

const leadSources = new Map<string, LeadIntake['defaultSource']>([
  ['/public/leads', 'public'],
  ['/webhooks/leads', 'webhook'],
]);
const gatewayPath = /^\/webhooks\/chat\/gateway\/(.+)$/;
const networkPath = /^\/webhooks\/chat\/cloud\/(.+)$/;

/** The instance that a route of the network's names. */
export function networkInstanceOf(route: string): string | undefined {
  return networkPath.exec(route)?.[1];
}

/**
 * @param line the instance that the call's route names, where it is still set up for the network's calls
 * @throws AppError as the call's route does, the signature aside; CONFLICT where nothing takes such a call any more
 */
export function readStoredCall(call: WebhookCall, line?: NetworkLine): ReadWebhookCall {
  const body = parseJsonBody(call.body, call.contentType);
  const defaultSource = leadSources.get(call.route);
  if (defaultSource === undefined) return { call, ...readStoredChat(call, body, line) };
  return { call, dialect: 'lead', intake: { kind: 'lead', lead: parseInput(leadBodySchema, body), defaultSource } };
}

function readStoredChat({ tenantId, route }: WebhookCall, body: unknown, line: NetworkLine | undefined): ReadChat {
  if (line?.tenantId === tenantId) {
    const { instanceName: name, phoneNumberId } = line;
    return readCloudChat(body, { name, phoneNumberId });
  }
  const [, door] = gatewayPath.exec(route) ?? [];
  if (door === undefined) throw new AppError('CONFLICT', `Nothing takes the calls of ${route} any more`);
  if (door === 'inbound') return readChat(body, { kind: 'messages' });
  return readChat(body, door === 'status' ? { kind: 'statuses' } : { event: door });
}
