// Webhook calls: counts them against the limits, has the signature checked, reads the call and has it stored. A call is answered after its
// batch has committed. Refused calls are journalled too. Dry runs use the same class, wired to keep nothing.

import { AppError, notFound } from '../../platform/errors.js';
import { inAnswerTime } from '../../platform/http/answer-time.js';
import { parseJsonBody } from '../../platform/http/json-body.js';
import type { MetaWebhookPrincipal } from '../../platform/principal.js';
import type { MetaWebhookService } from '../chat-instances/meta-webhook.service.js';
import type { TenantService } from '../tenants/tenant.service.js';
import type { StoreCall } from './call-store.js';
import { networkInstanceOf, readChat, readLead, readMetaChat, readStoredCall } from './read-call.js';
import type { CallJournal } from './journal-writer.js';
import { answerHandshake } from '../../providers/meta/reported-call.js';
import type { ChatEndpoint } from '../../providers/provider.js';
import { providerOfCall } from '../../providers/registry.js';
import { toHistoryCall, toHistoryIntake, type HistoryOrigin, type PastRecord } from './history-call.js';
import type { Caller, IntakeLimits } from './intake-limits.js';
import { SignatureCheck, type SignatureCheckOptions } from './signature-check.js';
import type {
  DryLeadAnswer,
  ItemResult,
  ItemsAnswer,
  LeadAnswer,
  LeadDefaults,
  ReadWebhookCall,
  WebhookCall,
} from './webhook-call.js';

export interface WebhookOptions extends SignatureCheckOptions {
  metaWebhooks: MetaWebhookService;
  tenants: Pick<TenantService, 'findDefaultCountry'>;
  store: StoreCall;
  journal: Pick<CallJournal, 'recordRefusal'>;
  limits: IntakeLimits;
}

export class WebhookService {
  private readonly signatures: SignatureCheck;

  constructor(private readonly options: WebhookOptions) {
    this.signatures = new SignatureCheck(options);
  }

  /**
   * Finds or creates a lead from an external system. Safe to repeat.
   * @param check throws any further error of the call, after the call was counted
   */
  async receiveLead(
    call: WebhookCall,
    defaults: LeadDefaults,
    caller: Caller,
    check?: () => void,
  ): Promise<LeadAnswer> {
    return (await this.takeLead(call, defaults, caller, check)).answer;
  }

  /** Does the same as `receiveLead`, and also says how the number was read, for a dry run. */
  async explainLead(
    call: WebhookCall,
    defaults: LeadDefaults,
    caller: Caller,
    check?: () => void,
  ): Promise<DryLeadAnswer> {
    const { answer, reading } = await this.takeLead(call, defaults, caller, check);
    return { ...answer, id: answer.created ? null : answer.id, reading };
  }

  private async takeLead(call: WebhookCall, defaults: LeadDefaults, caller: Caller, check: (() => void) | undefined) {
    await this.options.limits.countLead(call, caller);
    const read = await this.read(call, () => {
      check?.();
      const body = parseJsonBody(call.body, call.contentType);
      return { call, dialect: 'lead', intake: readLead(body, defaults) };
    });
    const answer = (await this.take(read)) as LeadAnswer;
    return { answer, reading: read.intake.kind === 'lead' ? (read.intake.lead.reading ?? null) : null };
  }

  /**
   * Receives a gateway's reports on messages, statuses and instances, each provider's in its own dialect. Each message is
   * recorded once, each status applied, ignored or parked. Safe to repeat.
   */
  receiveChat(call: WebhookCall, endpoint: ChatEndpoint, caller: Caller): Promise<ItemsAnswer> {
    return this.takeCounted(call, caller, async () => {
      const { body, provider } = await this.readSigned(call, endpoint);
      return { call, ...readChat(body, endpoint, provider) };
    });
  }

  /**
   * Replays a call of the journal, read by its route and without its signature. A number is read with the tenant's current country. No
   * limit counts the call. Safe to repeat.
   * @throws AppError like its route; the journal records the refusal
   */
  async replay(call: WebhookCall): Promise<LeadAnswer | ItemsAnswer> {
    const instanceId = networkInstanceOf(call.route);
    const instance = instanceId === undefined ? undefined : await this.options.metaWebhooks.find(instanceId);
    const country = await this.options.tenants.findDefaultCountry(call.tenantId);
    return this.take(await this.read(call, () => readStoredCall(call, { instance, country })));
  }

  /**
   * Takes in records of a gateway's history as if webhooks had brought them: at most 200. No limit counts them. Each message is recorded
   * once, under its given id. Safe to repeat.
   * @returns one result for each record, in their order
   */
  async receiveHistory(origin: HistoryOrigin, records: readonly PastRecord[]): Promise<ItemResult[]> {
    const call = toHistoryCall(origin, records);
    const { dialect, instanceName } = origin;
    const answer = await this.take({ call, dialect, intake: toHistoryIntake(instanceName, records) });
    return 'results' in answer ? answer.results : [];
  }

  /** Receives Meta's reports for an instance, after the signature was checked. Wrong items never refuse the call. Safe to repeat. */
  receiveCloud(
    call: WebhookCall,
    { instanceName: name, phoneNumberId }: MetaWebhookPrincipal,
    caller: Caller,
  ): Promise<ItemsAnswer> {
    return this.takeCounted(call, caller, () => {
      const body = parseJsonBody(call.body, call.contentType);
      return { call, ...readMetaChat(body, { name, phoneNumberId }) };
    });
  }

  /**
   * Answers Meta's handshake. @returns the challenge
   * @throws AppError NOT_FOUND for an instance that is not set up for it, FORBIDDEN for a wrong verify token
   */
  async answerCloudHandshake(query: Record<string, unknown>, instanceId: string): Promise<string> {
    const instance = await this.options.metaWebhooks.find(instanceId);
    if (instance === undefined) throw notFound('chat instance');
    const tokens = this.options.metaWebhooks.listVerifyTokens(instance.instanceId);
    const answer = tokens.map((token) => answerHandshake(query, token)).find((given) => given !== undefined);
    if (answer === undefined) throw new AppError('FORBIDDEN', 'The verify token or the mode of the handshake is wrong');
    return answer.challenge;
  }

  private async takeCounted(
    call: WebhookCall,
    caller: Caller,
    read: () => ReadWebhookCall | Promise<ReadWebhookCall>,
  ): Promise<ItemsAnswer> {
    const { limits } = this.options;
    await limits.countGatewayCall(call, caller);
    const readCall = await this.read(call, read, () => limits.countUnreadable(call, caller));
    return (await this.take(await limits.countItems(readCall, caller))) as ItemsAnswer;
  }

  private async read(
    call: WebhookCall,
    read: () => ReadWebhookCall | Promise<ReadWebhookCall>,
    onUnreadable?: () => Promise<void>,
  ): Promise<ReadWebhookCall> {
    try {
      return await read();
    } catch (error) {
      await onUnreadable?.();
      // An error that the caller can correct is journalled. After a fault of ours (5xx) the gateway repeats the call.
      if (error instanceof AppError) await inAnswerTime(this.options.journal.recordRefusal(call, null, error));
      throw error;
    }
  }

  private async take(read: ReadWebhookCall): Promise<LeadAnswer | ItemsAnswer> {
    const settled = await inAnswerTime(this.options.store(read));
    if ('refusal' in settled) throw settled.refusal;
    return settled.answer;
  }

  /** Returns the body and its provider, once the signature was checked. A wrong one is reported before an error in the body. */
  private async readSigned(call: WebhookCall, endpoint: ChatEndpoint) {
    let body: unknown;
    try {
      body = parseJsonBody(call.body, call.contentType);
    } catch (error) {
      this.signatures.check(call);
      throw error;
    }
    const provider = providerOfCall(body, endpoint);
    const { signature } = provider.webhooks;
    if (signature === undefined) this.signatures.check(call);
    else await this.signatures.checkOwn(call, signature, body);
    return { body, provider };
  }
}
