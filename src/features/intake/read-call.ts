// Reads a call: an arriving call by its endpoint, a call of the journal by its route.

import { AppError } from '../../platform/errors.js';
import { parseInput } from '../../platform/input/input.js';
import { parseJsonBody } from '../../platform/http/json-body.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { meta } from '../../providers/meta/provider.js';
import { readMetaOf } from '../../providers/meta/reported-call.js';
import type { ChatEndpoint, ReadReports } from '../../providers/provider.js';
import { providerOfCall, type ChatDialect } from '../../providers/registry.js';
import type { MetaWebhook } from '../chat-instances/meta-webhook.service.js';
import { leadBodySchema } from '../leads/lead.schema.js';
import type { Country } from '../../platform/phone-numbers/country.js';
import { isHistoryRoute, readHistoryCall } from './history-call.js';
import type { ChatIntake, LeadDefaults, LeadIntake, ReadWebhookCall, WebhookCall } from './webhook-call.js';

const leadSources = new Map<string, LeadDefaults['source']>([
  ['/public/leads', 'public'],
  ['/webhooks/leads', 'webhook'],
]);
const gatewayPath = /^\/webhooks\/chat\/gateway\/([\w.-]{1,100})$/;
const networkPath = /^\/webhooks\/chat\/cloud\/([^/]+)$/;

/** The kind of calls that a route takes. */
export type Destination =
  | { kind: 'lead'; source: LeadDefaults['source'] }
  | { kind: 'chat'; endpoint: ChatEndpoint }
  | { kind: 'network'; instanceId: string };

/** A chat call as its provider reads it. */
export interface ReadChat {
  dialect: ChatDialect;
  intake: ChatIntake;
}

/** Returns the destination of a route; undefined where there is no such route. */
export function destinationOf(route: string): Destination | undefined {
  const source = leadSources.get(route);
  if (source !== undefined) return { kind: 'lead', source };
  const instanceId = networkInstanceOf(route);
  if (instanceId !== undefined) return { kind: 'network', instanceId };
  const event = gatewayPath.exec(route)?.[1];
  if (event === undefined) return undefined;
  if (event === 'inbound') return { kind: 'chat', endpoint: { kind: 'messages' } };
  return { kind: 'chat', endpoint: event === 'status' ? { kind: 'statuses' } : { event } };
}

/** Returns the instance that a route of the network's calls names. */
export function networkInstanceOf(route: string): string | undefined {
  return networkPath.exec(route)?.[1];
}

/**
 * @param today `instance`: the instance that the call's route names, where it is still set up for the network's calls; `country`: the
 * tenant's country
 * @throws AppError like the call's route, without a check of the signature; CONFLICT where nothing takes such a call any more
 */
export function readStoredCall(
  call: WebhookCall,
  { instance, country }: { instance: MetaWebhook | undefined; country: Country | undefined },
): ReadWebhookCall {
  const body = parseJsonBody(call.body, call.contentType);
  if (isHistoryRoute(call.route)) return { call, ...readHistoryCall(body) };
  const destination = destinationOf(call.route);
  if (destination?.kind === 'lead')
    return { call, dialect: 'lead', intake: readLead(body, { source: destination.source, country }) };
  if (destination?.kind === 'chat') return { call, ...readChat(body, destination.endpoint) };
  if (instance?.tenantId !== call.tenantId)
    throw new AppError('CONFLICT', `Nothing takes the calls of ${call.route} any more`);
  const { instanceName: name, phoneNumberId } = instance;
  return { call, ...readMetaChat(body, { name, phoneNumberId }) };
}

/** @throws AppError VALIDATION_FAILED */
export function readLead(body: unknown, { source, country }: LeadDefaults): LeadIntake {
  return { kind: 'lead', lead: parseInput(leadBodySchema(country), body), defaultSource: source };
}

/** @throws AppError VALIDATION_FAILED when no single item can be read */
export function readChat(
  body: unknown,
  endpoint: ChatEndpoint,
  { dialect, webhooks } = providerOfCall(body, endpoint),
): ReadChat {
  return { dialect, intake: toIntake(webhooks.read(body, endpoint)) };
}

/** Reads a call of Meta's for an instance that the path has named. Wrong items never refuse it: Meta would repeat it for days. */
export function readMetaChat(body: unknown, instance: { name: string; phoneNumberId: string | undefined }): ReadChat {
  return { dialect: meta.dialect, intake: toIntake({ many: true, reports: readMetaOf(instance, body) }) };
}

function toIntake({ many, reports }: ReadReports): ChatIntake {
  return { kind: 'chat', many, reports: reports.map((report) => ({ ...report, messageId: newRecordId() })) };
}
