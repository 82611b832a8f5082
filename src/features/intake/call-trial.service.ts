// Judges a call as its route would, and keeps nothing of it: the same checks, limits and statements, in a transaction that is rolled back.
// An ADMIN tries calls of its own tenant. What differs in a signature belongs to signature-trial.ts.

import { AppError, errorTable, invalidField, notFound } from '../../platform/errors.js';
import type { ErrorCode, FieldError } from '../../platform/errors.js';
import { parseInput } from '../../platform/input.js';
import { bodyTooLarge, maxBodyBytes, parseJsonBody } from '../../platform/json-body.js';
import { requireAdmin } from '../../platform/principal.js';
import type { Principal, UserPrincipal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/record-id.js';
import type { AuthService } from '../auth/auth.service.js';
import type { MetaWebhook } from '../chat-instances/meta-webhook.service.js';
import type { LeadService } from '../leads/lead.service.js';
import type { MessageService } from '../messages/message.service.js';
import { callTrialSchema } from './call-trial.schema.js';
import type { CallTrialInput } from './call-trial.schema.js';
import { itemsOf } from './call-trial-items.js';
import type { CallTrialItem } from './call-trial-items.js';
import { metaSignatureMatches, unsignedMetaCall } from './dialects/meta-dialect.js';
import { isWaha } from './dialects/waha-dialect.js';
import { destinationOf, readStoredCall } from './read-call.js';
import type { Destination } from './read-call.js';
import { jsonOf, trySignature } from './signature-trial.js';
import type { SignatureTrial } from './signature-trial.js';
import { WebhookService } from './webhook.service.js';
import type { WebhookOptions } from './webhook.service.js';
import type { DialectName, ItemsAnswer, LeadAnswer, ReadWebhookCall, WebhookCall } from './webhook-call.js';

/** @see WebhookOptions those of tries: they keep nothing */
export interface CallTrialOptions extends WebhookOptions {
  auth: Pick<AuthService, 'findByApiKey'>;
  leads: Pick<LeadService, 'listByIds'>;
  recordedMessages: Pick<MessageService, 'listByIds'>;
}

/** What a call would be answered. */
export interface CallTrial {
  /** Of HTTP. */
  status: number;
  /** Null: it would be taken in. */
  code: ErrorCode | null;
  detail: string | null;
  /** How it is read; null where it cannot be. */
  dialect: DialectName | null;
  /** Null where its route asks for none. */
  signature: SignatureTrial | null;
  /** What would become of each item; none where the call is refused as a whole. */
  items: CallTrialItem[];
  errors: FieldError[];
}

interface Trial {
  call: WebhookCall;
  headers: Record<string, string>;
  destination: Destination;
  /** The instance that the route names. */
  instance: MetaWebhook | undefined;
}

const signatureHeaders = { lead: undefined, chat: 'x-signature', network: 'x-hub-signature-256' } as const;
const leadSourceRoute = /^\/webhooks\/leads\/[^/]+\/[^/]+$/;
const wahaHeader = 'x-webhook-hmac';
const serverFault = 500;

export class CallTrialService {
  private readonly webhooks: WebhookService;
  /** How the calls that are being tried were read. */
  private readonly reads = new WeakMap<WebhookCall, ReadWebhookCall>();

  constructor(private readonly options: CallTrialOptions) {
    this.webhooks = new WebhookService({
      ...options,
      store: (read) => {
        this.reads.set(read.call, read);
        return options.store(read);
      },
    });
  }

  /**
   * What this call would be answered now. ADMIN only. Without `x-tenant-key` it counts as sent with the tenant's own, without
   * `content-type` as JSON. Changes nothing, counts against no limit.
   * @throws AppError VALIDATION_FAILED for wrong arguments; what is wrong with the call is the answer
   */
  async tryCall(principal: Principal | undefined, input: CallTrialInput): Promise<CallTrial> {
    const admin = requireAdmin(principal);
    const { route, headers, body } = parseInput(callTrialSchema, input);
    const call = toCall(admin, route, headers ?? {}, body);
    const destination = destinationOf(call.route);
    if (leadSourceRoute.test(call.route))
      throw invalidField('route', 'is of a lead source: try its calls by testLeadSource');
    if (destination === undefined) return refused(new AppError('NOT_FOUND', 'There is no such path'));
    const instance = await this.findInstance(admin, destination);
    const trial = { call, headers: headers ?? {}, destination, instance };
    const signature = await this.trySignature(trial);
    try {
      const answer = await this.judge(trial);
      return { ...taken(answer), dialect: this.dialectOf(call), signature, items: await this.listItems(call, answer) };
    } catch (error) {
      if (!(error instanceof AppError) || errorTable[error.code].status >= serverFault) throw error;
      return { ...refused(error), dialect: this.dialectOf(call) ?? guessDialect(trial), signature };
    }
  }

  private async findInstance({ tenantId }: UserPrincipal, destination: Destination): Promise<MetaWebhook | undefined> {
    if (destination.kind !== 'network') return undefined;
    const found = await this.options.metaWebhooks.find(destination.instanceId);
    return found?.tenantId === tenantId ? found : undefined;
  }

  private async judge({ call, headers, destination, instance }: Trial): Promise<LeadAnswer | ItemsAnswer> {
    if (destination.kind === 'network') {
      if (instance === undefined) throw notFound('chat instance');
      if (call.body.length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
      if (!metaSignatureMatches(instance.secret, call.signature, call.body)) throw unsignedMetaCall();
      return this.webhooks.receiveCloud(call, instance, { key: instance.instanceId, setHeaders });
    }
    await this.checkKey(call, headers['x-tenant-key']);
    if (call.body.length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
    const caller = { key: call.tenantId, setHeaders };
    if (destination.kind === 'chat') return this.webhooks.receiveChat(call, destination.endpoint, caller);
    const country = await this.options.tenants.findDefaultCountry(call.tenantId);
    return this.webhooks.receiveLead(call, { source: destination.source, country }, caller);
  }

  // Another tenant's key looks like none: a try tells nothing of keys that are not the caller's own.
  private async checkKey({ tenantId }: WebhookCall, given: string | undefined): Promise<void> {
    if (given === undefined) return;
    const found = await this.options.auth.findByApiKey(given);
    if (found?.tenantId !== tenantId) throw new AppError('UNAUTHENTICATED', 'A valid x-tenant-key is required');
  }

  private async trySignature({ call, destination, instance }: Trial): Promise<SignatureTrial | null> {
    const header = signatureHeaders[destination.kind];
    if (header === undefined || call.body.length > maxBodyBytes) return null;
    const { webhookSecret, previousWebhookSecret, webhookSecrets } = this.options;
    const body = destination.kind === 'chat' ? jsonOf(call.body) : undefined;
    const own = isWaha(body) ? await webhookSecrets.find(call.tenantId, body.session.trim()) : undefined;
    if (own !== undefined) {
      const rule = { header: wahaHeader, algorithm: 'sha512', prefix: '', secrets: [own], takesJson: false } as const;
      return trySignature(rule, call.hmac, call.body);
    }
    const secret = destination.kind === 'network' ? instance?.secret : webhookSecret;
    if (secret === undefined || secret === '') return null;
    const others = destination.kind === 'chat' && previousWebhookSecret !== undefined ? [previousWebhookSecret] : [];
    const rule = {
      header,
      algorithm: 'sha256',
      prefix: 'sha256=',
      secrets: [secret, ...others],
      takesJson: destination.kind === 'chat',
    } as const;
    return trySignature(rule, call.signature, call.body);
  }

  private dialectOf(call: WebhookCall): DialectName | null {
    return this.reads.get(call)?.dialect ?? null;
  }

  /** With the ids of records that are there; what a call would create has none. */
  private async listItems(call: WebhookCall, answer: LeadAnswer | ItemsAnswer): Promise<CallTrialItem[]> {
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

// A try shows its verdict, not the headers of an answer.
const setHeaders = () => undefined;

function toCall(
  { tenantId }: UserPrincipal,
  route: string,
  headers: Record<string, string>,
  body: string,
): WebhookCall {
  const path = route.replace(/\/$/, '');
  const destination = destinationOf(path);
  const header = destination === undefined ? undefined : signatureHeaders[destination.kind];
  return {
    id: newRecordId(),
    tenantId,
    route: path,
    contentType: headers['content-type'] ?? 'application/json',
    signature: header === undefined ? undefined : headers[header],
    hmac: headers[wahaHeader],
    userAgent: headers['user-agent'],
    body: Buffer.from(body),
    receivedAt: new Date(),
  };
}

function taken(answer: LeadAnswer | ItemsAnswer): Pick<CallTrial, 'status' | 'code' | 'detail' | 'errors'> {
  const isNewLead = !('results' in answer) && answer.created;
  return { status: isNewLead ? 201 : 200, code: null, detail: null, errors: [] };
}

function refused({ code, message, errors = [] }: AppError): CallTrial {
  const { status } = errorTable[code];
  return { status, code, detail: message, dialect: null, signature: null, items: [], errors };
}

/** How a call that was refused before it was read would be read. */
function guessDialect({ call, destination, instance }: Trial): DialectName | null {
  if (destination.kind === 'lead') return 'lead';
  try {
    if (destination.kind === 'network') return instance === undefined ? null : 'cloud';
    parseJsonBody(call.body, call.contentType);
    return readStoredCall(call, { instance, country: undefined }).dialect;
  } catch {
    return null;
  }
}
