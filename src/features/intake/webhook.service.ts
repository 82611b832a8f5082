// Webhook calls: checks the signature and reads the call, then fast-path.ts or writer.ts write it in a batch. A call is answered after its
// batch has committed. Refused calls are journalled too.

import { Deadline } from '../../platform/deadline.js';
import { AppError, notFound } from '../../platform/errors.js';
import type { FairSemaphore } from '../../platform/fair-semaphore.js';
import { MicroBatcher } from '../../platform/micro-batcher.js';
import { exceedsDepth, maxJsonDepth } from '../../platform/input.js';
import { parseJsonBody } from '../../platform/json-body.js';
import type { Metrics } from '../../platform/metrics.js';
import type { MetaWebhookPrincipal } from '../../platform/principal.js';
import { signatureMatches } from '../../platform/signature.js';
import type { MetaWebhookService } from '../chat-instances/meta-webhook.service.js';
import type { WebhookSecretService } from '../chat-instances/webhook-secret.service.js';
import type { OptOutEffects } from '../consent/consent.service.js';
import type { TenantService } from '../tenants/tenant.service.js';
import { networkInstanceOf, readChat, readLead, readMetaChat, readStoredCall } from './read-call.js';
import type { ChatEndpoint } from './read-call.js';
import type { DeliveryJournal } from './journal-writer.js';
import { answerHandshake } from './dialects/meta-dialect.js';
import { isWaha, wahaSignatureMatches } from './dialects/waha-dialect.js';
import type { FastPath } from './fast-path.js';
import type { Caller, IntakeLimits } from './intake-limits.js';
import { tallyOf } from './webhook-call.js';
import type { ItemsAnswer, LeadAnswer, LeadDefaults, ReadWebhookCall, Settled, WebhookCall } from './webhook-call.js';
import type { IntakeWriter } from './writer.js';

export interface WebhookOptions {
  metaWebhooks: MetaWebhookService;
  webhookSecrets: Pick<WebhookSecretService, 'find'>;
  tenants: Pick<TenantService, 'findDefaultCountry'>;
  fastPath: FastPath;
  writer: IntakeWriter;
  journal: DeliveryJournal;
  limits: IntakeLimits;
  optedOut: Pick<OptOutEffects, 'untilNothingLeaves'>;
  metrics: Metrics;
  /** Shared by all that write what callers send. */
  semaphore: FairSemaphore;
  /** Undefined: chat webhooks are accepted without a signature. */
  webhookSecret: string | undefined;
  /** The secret before, still accepted while `webhookSecret` is being replaced. */
  previousWebhookSecret: string | undefined;
}

const itemWeight = 4 * 1024;
/** The longest wait for a database that stands still: gateways give a call up after 30 s. */
const answerLimitMs = 15_000;
const retryAfterSeconds = 1;
const bounds = {
  maxBatchSize: 200,
  maxBatchWeight: 2 * 1024 * 1024,
  // One after the other: a tenant's messages and events keep the order in which they came.
  maxInFlight: 1,
  maxWaiting: 10_000,
  maxWaitingWeight: 64 * 1024 * 1024,
};

export class WebhookService {
  private readonly microBatcher: MicroBatcher<ReadWebhookCall, Settled>;

  constructor(private readonly options: WebhookOptions) {
    this.microBatcher = new MicroBatcher<ReadWebhookCall, Settled>({
      write: (tenantId, calls) => options.writer.write(tenantId, calls),
      weightOf,
      name: 'calls',
      meter: options.metrics.microBatcher('general path'),
      semaphore: options.semaphore,
      ...bounds,
    });
  }

  /** A lead from an external system, found or created. Safe to repeat. */
  async receiveLead(call: WebhookCall, defaults: LeadDefaults, caller: Caller): Promise<LeadAnswer> {
    await this.options.limits.countLead(call, caller);
    const read = await this.read(call, () => {
      const body = parseJsonBody(call.body, call.contentType);
      return { call, dialect: 'lead', intake: readLead(body, defaults) };
    });
    return (await this.take(read)) as LeadAnswer;
  }

  /**
   * What a gateway reports of messages, statuses and instances, in the neutral dialect, Evolution's or WAHA's. Each message is
   * recorded once, each status applied, ignored or parked. Safe to repeat.
   */
  receiveChat(call: WebhookCall, endpoint: ChatEndpoint, caller: Caller): Promise<ItemsAnswer> {
    return this.takeCounted(call, caller, async () => ({ call, ...readChat(await this.readSigned(call), endpoint) }));
  }

  /**
   * Runs a call of the journal again, read by its route and without its signature; a number with the tenant's country of today. No limit
   * counts it. Safe to repeat.
   * @throws AppError as its route does; what refuses it stands in the journal
   */
  async replay(call: WebhookCall): Promise<LeadAnswer | ItemsAnswer> {
    const instanceId = networkInstanceOf(call.route);
    const instance = instanceId === undefined ? undefined : await this.options.metaWebhooks.find(instanceId);
    const country = await this.options.tenants.findDefaultCountry(call.tenantId);
    return this.take(await this.read(call, () => readStoredCall(call, { instance, country })));
  }

  /** What Meta reports for an instance, after its signature was checked. Wrong items never refuse the call. Safe to repeat. */
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
      // What the caller can correct is kept. After a fault of ours (5xx) the gateway repeats the call.
      if (error instanceof AppError) await this.options.journal.recordRefusal(call, null, error);
      throw error;
    }
  }

  private async take(read: ReadWebhookCall): Promise<LeadAnswer | ItemsAnswer> {
    const settled = await this.storeInTime(read);
    if ('refusal' in settled) throw settled.refusal;
    for (const tally of tallyOf(settled.answer)) this.options.metrics.intakeItems.inc({ ...tally });
    return settled.answer;
  }

  /** @throws AppError UNAVAILABLE after the time limit: it may be stored all the same, and sent again it counts once */
  private async storeInTime(call: ReadWebhookCall): Promise<Settled> {
    const deadline = new Deadline(answerLimitMs);
    try {
      const settled = await deadline.race<Settled | undefined>(this.store(call), () => undefined);
      if (settled === undefined) throw tooLate();
      return settled;
    } finally {
      deadline.end();
    }
  }

  private async store(call: ReadWebhookCall): Promise<Settled> {
    const written = await this.options.fastPath.submit(call);
    if (written !== undefined) return written;
    const { tenantId } = call.call;
    const settled = await this.microBatcher.submit(tenantId, call);
    if ('optedOut' in settled) await this.options.optedOut.untilNothingLeaves(tenantId, settled.optedOut ?? []);
    return settled;
  }

  /** The body, once its signature was checked: a wrong one is told before what is wrong with the body. */
  private async readSigned(call: WebhookCall): Promise<unknown> {
    let body: unknown;
    try {
      body = parseJsonBody(call.body, call.contentType);
    } catch (error) {
      this.checkSignature(call);
      throw error;
    }
    if (!isWaha(body)) this.checkSignature(call);
    else await this.checkWahaSignature(call, body.session);
    return body;
  }

  // WAHA signs with the secret of its instance. Where the instance has none, it is a call like any other.
  private async checkWahaSignature(call: WebhookCall, session: string): Promise<void> {
    const secret = await this.options.webhookSecrets.find(call.tenantId, session.trim());
    if (secret === undefined) return this.checkSignature(call);
    if (wahaSignatureMatches(secret, call.hmac, call.body)) return;
    const part = call.hmac === undefined ? 'X-Webhook-Hmac is missing' : 'X-Webhook-Hmac does not match the body';
    throw new AppError('SIGNATURE_INVALID', part);
  }

  private checkSignature({ signature, body }: WebhookCall): void {
    const { webhookSecret, previousWebhookSecret } = this.options;
    if (webhookSecret === undefined) return;
    const secrets = [webhookSecret, ...(previousWebhookSecret === undefined ? [] : [previousWebhookSecret])];
    if (secrets.some((secret) => signatureMatches(secret, signature, body, () => jsonOrUndefined(body)))) return;
    const part = signature === undefined ? 'x-signature is missing' : 'x-signature does not match the body';
    throw new AppError('SIGNATURE_INVALID', part);
  }
}

function tooLate(): AppError {
  return new AppError('UNAVAILABLE', 'Storing the call takes too long right now: send it again', { retryAfterSeconds });
}

// Its bytes, and a fixed part for each item: a batch of many small ones is bounded too.
function weightOf({ call, intake }: ReadWebhookCall): number {
  const items = intake.kind === 'lead' ? 1 : intake.reports.length;
  return Math.max(call.body.length, items * itemWeight);
}

// What nests too deeply to be written again counts by its bytes only.
function jsonOrUndefined(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return exceedsDepth(value, maxJsonDepth) ? undefined : value;
  } catch {
    return undefined;
  }
}
