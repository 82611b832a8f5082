// Reads a call: an arriving call by its endpoint, a call of the journal by its route.

import { AppError } from '../../platform/errors.js';
import { isPlainObject, parseInput, validationFailed } from '../../platform/input/input.js';
import { parseJsonBody } from '../../platform/http/json-body.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { MetaWebhook } from '../chat-instances/meta-webhook.service.js';
import { leadBodySchema } from '../leads/lead.schema.js';
import type { Country } from '../../platform/phone-numbers/country.js';
import { isHistoryRoute, readHistoryCall } from './history-call.js';
import { isEvolution, readEvolution } from '../../providers/evolution/webhooks.js';
import { readMeta } from '../../providers/meta/webhooks.js';
import { readNeutral } from '../../providers/neutral/webhooks.js';
import { isWaha, readWaha, type WahaBody } from '../../providers/waha/webhooks.js';
import type {
  ChatIntake,
  DialectName,
  LeadDefaults,
  LeadIntake,
  ReadWebhookCall,
  Report,
  WebhookCall,
} from './webhook-call.js';

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

/** The called path: its kind of items in the neutral dialect, or its event in Evolution's. WAHA's calls name the event themselves. */
export type ChatEndpoint = { kind: 'messages' | 'statuses' } | { event: string };

export interface ReadChat {
  dialect: DialectName;
  intake: ChatIntake;
}

/** @throws AppError VALIDATION_FAILED when no single item can be read */
export function readChat(body: unknown, endpoint: ChatEndpoint): ReadChat {
  if (isWaha(body)) return readWahaCall(body);
  if ('event' in endpoint) return readEvolutionCall(body, endpoint.event);
  if (isEvolution(body)) return readEvolutionCall(body);
  const { many, reports } = readNeutral(body, endpoint.kind);
  return { dialect: 'neutral', intake: toIntake(many, reports) };
}

/** Reads a call of Meta's for an instance that the path has named. Wrong items never refuse it: Meta would repeat it for days. */
export function readMetaChat(body: unknown, instance: { name: string; phoneNumberId: string | undefined }): ReadChat {
  const reports = readMeta(body).reports.map(({ phoneNumberId, ...report }): Report => {
    const isOther =
      instance.phoneNumberId !== undefined && phoneNumberId !== null && phoneNumberId !== instance.phoneNumberId;
    const item = { kind: 'ignored', reason: `for another phone number: ${phoneNumberId}` } as const;
    return { instance: instance.name, ...(isOther ? { item } : report) };
  });
  return { dialect: 'cloud', intake: toIntake(true, reports) };
}

function readEvolutionCall(body: unknown, event?: string): ReadChat {
  if (event !== undefined && (!isPlainObject(body) || body['data'] === undefined))
    throw validationFailed([{ path: 'data', message: 'is required: this path takes events of the Evolution API' }]);
  const { instance, reports } = readEvolution(body, event);
  const named = reports.map((report) => ({ instance, ...report }));
  return { dialect: 'evolution', intake: toIntake(named.length !== 1, named) };
}

function readWahaCall(body: WahaBody): ReadChat {
  const { instance, reports } = readWaha(body);
  return {
    dialect: 'waha',
    intake: toIntake(
      false,
      reports.map((report) => ({ instance, ...report })),
    ),
  };
}

function toIntake(many: boolean, reports: readonly Report[]): ChatIntake {
  return { kind: 'chat', many, reports: reports.map((report) => ({ ...report, messageId: newRecordId() })) };
}
