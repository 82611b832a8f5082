// Dry runs of calls for leads, for the gateway and for Meta's Cloud API. They take the same checks, limits and statements as a real call,
// in a transaction that is rolled back. signature-diagnosis.ts finds out how a signature differs.

import { keyRequired, notFound } from '../../platform/errors.js';
import { bodyTooLarge, jsonOf, maxBodyBytes, parseJsonBody } from '../../platform/http/json-body.js';
import type { UserPrincipal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { AuthService } from '../auth/auth.service.js';
import type { MetaWebhook } from '../chat-instances/meta-webhook.service.js';
import type { LeadService } from '../leads/lead.service.js';
import type { MessageService } from '../messages/message.service.js';
import { refusedDryRun, setNoHeaders, type CallDryRun, type RouteDryRun, type DescribedCall } from './call-dry-run.js';
import { itemsOf, type CallDryRunItem } from './call-dry-run-items.js';
import { metaSignatureMatches, unsignedMetaCall } from '../../providers/meta/reported-call.js';
import { meta } from '../../providers/meta/provider.js';
import { providerOfCall } from '../../providers/registry.js';
import { destinationOf, readStoredCall, type Destination } from './read-call.js';
import {
  diagnoseSignature,
  metaRuleOf,
  ownRuleOf,
  spelledRuleOf,
  type SignatureComparison,
} from './signature-diagnosis.js';
import { WebhookService, type WebhookOptions } from './webhook.service.js';
import type { DialectName, ItemsAnswer, LeadAnswer, ReadWebhookCall, WebhookCall } from './webhook-call.js';

/** The options of `WebhookService` for dry runs: they keep nothing. */
export interface WebhookDryRunOptions extends WebhookOptions {
  auth: Pick<AuthService, 'findByApiKey'>;
  leads: Pick<LeadService, 'listByIds'>;
  recordedMessages: Pick<MessageService, 'listByIds'>;
}

interface DryRun {
  call: WebhookCall;
  headers: Record<string, string>;
  destination: Destination;
  /** The instance that the route names. */
  instance: MetaWebhook | undefined;
}

const signatureHeaders = { lead: undefined, chat: 'x-signature', network: 'x-hub-signature-256' } as const;
const wahaHeader = 'x-webhook-hmac';

export class WebhookDryRunService implements RouteDryRun {
  private readonly webhooks: WebhookService;
  /** The readings of the calls whose dry run is under way. */
  private readonly reads = new WeakMap<WebhookCall, ReadWebhookCall>();

  constructor(private readonly options: WebhookDryRunOptions) {
    this.webhooks = new WebhookService({
      ...options,
      store: (read) => {
        this.reads.set(read.call, read);
        return options.store(read);
      },
    });
  }

  takes(route: string): boolean {
    return destinationOf(route) !== undefined;
  }

  /** A call without `x-tenant-key` counts as sent with the tenant's own key. Counts against no limit. */
  async run(admin: UserPrincipal, described: DescribedCall): Promise<CallDryRun> {
    const destination = destinationOf(described.route);
    if (destination === undefined) throw notFound('path');
    const call = toCall(admin, described, destination);
    const instance = await this.findInstance(admin, destination);
    const dryRun = { call, headers: described.headers, destination, instance };
    const signature = await this.diagnoseSignature(dryRun);
    try {
      const answer = await this.judge(dryRun);
      const items = await this.listItems(call, answer);
      return { ...taken(answer), dialect: this.dialectOf(call), signature, key: null, items };
    } catch (error) {
      return refusedDryRun(error, { dialect: this.dialectOf(call) ?? guessDialect(dryRun), signature });
    }
  }

  private async findInstance({ tenantId }: UserPrincipal, destination: Destination): Promise<MetaWebhook | undefined> {
    if (destination.kind !== 'network') return undefined;
    const found = await this.options.metaWebhooks.find(destination.instanceId);
    return found?.tenantId === tenantId ? found : undefined;
  }

  private async judge({ call, headers, destination, instance }: DryRun): Promise<LeadAnswer | ItemsAnswer> {
    if (destination.kind === 'network') {
      if (instance === undefined) throw notFound('chat instance');
      if (call.body.length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
      if (!metaSignatureMatches(instance.secret, call.signature, call.body)) throw unsignedMetaCall();
      return this.webhooks.receiveCloud(call, instance, { key: instance.instanceId, setHeaders: setNoHeaders });
    }
    await this.checkKey(call, headers);
    if (call.body.length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
    const caller = { key: call.tenantId, setHeaders: setNoHeaders };
    if (destination.kind === 'chat') return this.webhooks.receiveChat(call, destination.endpoint, caller);
    const country = await this.options.tenants.findDefaultCountry(call.tenantId);
    return this.webhooks.receiveLead(call, { source: destination.source, country }, caller);
  }

  // Another tenant's key is refused like an unknown one, so that a dry run reveals nothing of other tenants' keys.
  private async checkKey({ tenantId }: WebhookCall, headers: Readonly<Record<string, string>>): Promise<void> {
    const { 'x-tenant-key': key, authorization } = headers;
    // The real call would have no key: a token does not stand for one.
    if (key === undefined && authorization === undefined) return;
    const found = key === undefined ? undefined : await this.options.auth.findByApiKey(key);
    if (found?.tenantId !== tenantId) throw keyRequired({ key, authorization });
  }

  private async diagnoseSignature({ call, destination, instance }: DryRun): Promise<SignatureComparison | null> {
    const header = signatureHeaders[destination.kind];
    if (header === undefined || call.body.length > maxBodyBytes) return null;
    const { webhookSecret, previousWebhookSecret, webhookSecrets } = this.options;
    if (destination.kind === 'chat') {
      const body = jsonOf(call.body);
      const own = providerOfCall(body, destination.endpoint).webhooks.signature;
      const instanceName = own?.instanceOf(body);
      const ownSecret = instanceName === undefined ? undefined : await webhookSecrets.find(call.tenantId, instanceName);
      if (own !== undefined && ownSecret !== undefined)
        return diagnoseSignature(ownRuleOf(own, ownSecret), call.hmac, call.body);
    }
    const secret = destination.kind === 'network' ? instance?.secret : webhookSecret;
    if (secret === undefined || secret === '') return null;
    if (destination.kind === 'network') return diagnoseSignature(metaRuleOf(secret), call.signature, call.body);
    const others = previousWebhookSecret === undefined ? [] : [previousWebhookSecret];
    return diagnoseSignature(spelledRuleOf([secret, ...others]), call.signature, call.body);
  }

  private dialectOf(call: WebhookCall): DialectName | null {
    return this.reads.get(call)?.dialect ?? null;
  }

  /** Returns the items with the ids of existing records. A record that the call would create has no id. */
  private async listItems(call: WebhookCall, answer: LeadAnswer | ItemsAnswer): Promise<CallDryRunItem[]> {
    const read = this.reads.get(call);
    if (read === undefined) return [];
    const items = itemsOf(read, answer);
    const principal = { kind: 'system', tenantId: call.tenantId } as const;
    const idsOf = (field: 'leadId' | 'messageId') => [...new Set(items.flatMap((item) => item[field] ?? []))];
    const [leadIds, messageIds] = [idsOf('leadId'), idsOf('messageId')];
    const leads = leadIds.length === 0 ? [] : await this.options.leads.listByIds(principal, leadIds);
    const messages =
      messageIds.length === 0 ? [] : await this.options.recordedMessages.listByIds(principal, messageIds);
    const known = new Set([...leads, ...messages].map(({ id }) => id));
    const ifKnown = (id: string | null) => (id !== null && known.has(id) ? id : null);
    return items.map((item) => ({ ...item, leadId: ifKnown(item.leadId), messageId: ifKnown(item.messageId) }));
  }
}

function toCall(
  { tenantId }: UserPrincipal,
  { route, headers, contentType, body }: DescribedCall,
  { kind }: Destination,
): WebhookCall {
  const header = signatureHeaders[kind];
  return {
    id: newRecordId(),
    tenantId,
    route,
    contentType,
    signature: header === undefined ? undefined : headers[header],
    hmac: headers[wahaHeader],
    userAgent: headers['user-agent'],
    body,
    receivedAt: new Date(),
  };
}

function taken(answer: LeadAnswer | ItemsAnswer): Pick<CallDryRun, 'status' | 'code' | 'detail' | 'errors'> {
  const isNewLead = !('results' in answer) && answer.created;
  return { status: isNewLead ? 201 : 200, code: null, detail: null, errors: [] };
}

/** Returns the dialect of a call that was refused before it was read. */
function guessDialect({ call, destination, instance }: DryRun): DialectName | null {
  if (destination.kind === 'lead') return 'lead';
  try {
    if (destination.kind === 'network') return instance === undefined ? null : meta.dialect;
    parseJsonBody(call.body, call.contentType);
    return readStoredCall(call, { instance, country: undefined }).dialect;
  } catch {
    return null;
  }
}
