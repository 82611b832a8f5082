// Writes a batch of one tenant's webhook calls in one transaction. Leads, messages with their changes and statuses, consent, connections,
// numbers of lines, template statuses, the journal and the events commit together. A wrong call never fails its neighbours: its error is
// its own result. The journal leaves out refused calls beyond its limit for each minute. Where the database is away, all of the batch
// fails.

import { validationFailed } from '../../platform/input/input.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import type { InstanceStateService } from '../chat-instances/instance-state.service.js';
import type { TemplateStatusReport } from '../channel-templates/channel-template.sql.js';
import type { ChannelTemplateStatusService } from '../channel-templates/channel-template-status.service.js';
import type { ChatInstanceService } from '../chat-instances/chat-instance.service.js';
import type {
  ConsentIntakeService,
  LeadDecision,
  LeadPreference,
  TenantKeywords,
} from '../consent/consent-intake.service.js';
import type { ErasedIdentityService } from '../leads/identity/erased-identity.service.js';
import type { LeadIntakeService } from '../leads/lead.service.js';
import type { ChangeReport, MessageChangeService } from '../messages/changes/change.service.js';
import type { ReportedMessageService, Revealed } from '../messages/reported-message.service.js';
import { type ExternalKey, type MessageReport } from '../messages/reported.js';
import type { MessageStatusService } from '../messages/status.service.js';
import { contentOf, leadContent } from './call-content.js';
import { refusedEntry, type JournalEntry, type CallJournal } from './journal-writer.js';
import type { ChatIntake, ItemResult, LeadIntake, ReadWebhookCall, Settled } from './webhook-call.js';
import { leaveOutErased, refuseErased, withoutErased } from './erased-people.js';
import {
  groupByKind,
  locate,
  type ItemWith,
  type ItemsByKind,
  type Located,
  type LocatedItems,
  type Results,
  type RevealingStatus,
} from './located-items.js';

export interface GeneralPathOptions {
  transactor: Pick<Transactor, 'run'>;
  chatInstances: Pick<ChatInstanceService, 'listKnown'>;
  connections: InstanceStateService;
  leadIntake: LeadIntakeService;
  reportedMessages: ReportedMessageService;
  statuses: MessageStatusService;
  changes: MessageChangeService;
  consent: ConsentIntakeService;
  erasedIdentities: ErasedIdentityService;
  channelTemplateStatuses: ChannelTemplateStatusService;
  journal: Pick<CallJournal, 'record'>;
}

type LeadCall = ReadWebhookCall & { intake: LeadIntake };

/** The results of a call's items, and the leads that they opt out. */
interface WrittenItems {
  results: ItemResult[];
  optedOut: string[];
}

export class GeneralPath {
  constructor(private readonly options: GeneralPathOptions) {}

  /** @returns the outcome of each call, in their order. @throws when nothing of the batch was written */
  async write(tenantId: string, calls: readonly ReadWebhookCall[]): Promise<Settled[]> {
    const { transactor, erasedIdentities } = this.options;
    return transactor.run(tenantId, async (tx) => {
      const { itemsOf, erased } = await leaveOutErased(erasedIdentities, tx, await this.locateItems(tx, calls));
      const leadCalls = calls.filter(isLead);
      const refused = await refuseErased(erasedIdentities, tx, leadCalls, erased);
      const byKind = groupByKind([...itemsOf.values()].flat());
      // If consent may be decided, the tenant is locked now: after the erasures, as an erasure does it, and before leads, as a claim does.
      const words = await this.holdConsent(tx, byKind);
      const written = await this.writeLeads(
        tx,
        leadCalls.filter((read) => !refused.has(read)),
      );
      const settledLeads = new Map([...refused, ...written]);
      const writtenItems = await this.writeItems(tx, itemsOf, byKind, words);
      const outcomes = calls.map((read) => {
        const settled = settledLeads.get(read) ?? settleItems(read, writtenItems.get(read) ?? unwritten());
        return { read, settled };
      });
      const entries = outcomes
        .filter(({ read, settled }) => !hasNothingNew(read, settled))
        .map(({ read, settled }) => withoutErased(toEntry(read, settled, itemsOf.get(read)), erased.get(read)));
      await this.options.journal.record(tx, tenantId, entries);
      return outcomes.map(({ settled }) => settled);
    });
  }

  private async writeLeads(tx: Transaction, calls: readonly LeadCall[]): Promise<Map<ReadWebhookCall, Settled>> {
    const settled = new Map<ReadWebhookCall, Settled>();
    for (const [source, posted] of Map.groupBy(calls, ({ intake }) => intake.defaultSource)) {
      const bodies = posted.map(({ intake }) => intake.lead);
      const found = await this.options.leadIntake.receive(tx, bodies, source);
      for (const [index, { lead, created }] of found.entries()) {
        const read = posted[index];
        if (read !== undefined) settled.set(read, { answer: { ...lead, created } });
      }
    }
    return settled;
  }

  /** Returns the items of each chat call, in their order. */
  private async locateItems(tx: Transaction, calls: readonly ReadWebhookCall[]): Promise<LocatedItems> {
    const chatCalls = calls.filter(isChat);
    if (chatCalls.length === 0) return new Map();
    const known = await this.options.chatInstances.listKnown(tx, tx.tenantId);
    return new Map(chatCalls.map((read) => [read, read.intake.reports.map((report) => locate(report, read, known))]));
  }

  private holdConsent(tx: Transaction, { messages, preferences }: ItemsByKind): Promise<TenantKeywords | undefined> {
    const reported = messages.map(([, { message }]) => message);
    return this.options.consent.hold(tx, reported, preferences.length > 0);
  }

  /** Returns the results of each chat call's items, in their order. */
  private async writeItems(
    tx: Transaction,
    itemsOf: LocatedItems,
    byKind: ItemsByKind,
    words: TenantKeywords | undefined,
  ): Promise<Map<ReadWebhookCall, WrittenItems>> {
    if (itemsOf.size === 0) return new Map();
    const { results, optedOut } = await this.writeByKind(tx, byKind, words);
    return new Map(
      [...itemsOf].map(([read, items]) => [
        read,
        {
          results: items.map((item) => results.get(item) ?? unwritten()),
          optedOut: items.flatMap((item) => optedOut.get(item) ?? []),
        },
      ]),
    );
  }

  private async writeByKind(
    tx: Transaction,
    { results, messages, changes, statuses, connections, preferences, templates, ownNumbers }: ItemsByKind,
    words: TenantKeywords | undefined,
  ): Promise<{ results: Results; optedOut: Map<Located, string> }> {
    await this.lockEchoes(tx, messages, [...statuses, ...changes]);
    await this.writeMessages(tx, messages, results);
    await this.writeChanges(tx, changes, results);
    const optedOut = await this.writeKeywords(tx, words, messages, results);
    await this.writePreferences(tx, preferences, optedOut);
    await this.writeStatuses(tx, statuses, results);
    await this.options.connections.report(tx, connections);
    await this.options.connections.learnNumbers(tx, ownNumbers);
    await this.writeTemplateStatuses(tx, templates, results);
    return { results, optedOut };
  }

  /** @returns the leads that keywords opt out, also those of messages that were there already */
  private async writeKeywords(
    tx: Transaction,
    words: TenantKeywords | undefined,
    messages: readonly ItemWith<MessageReport>[],
    results: Results,
  ): Promise<Map<Located, string>> {
    const optedOut = new Map<Located, string>();
    if (words === undefined) return optedOut;
    const decisions: LeadDecision[] = [];
    for (const [item, { instanceId, message }] of messages) {
      const written = words.find(message);
      const result = results.get(item);
      if (written === undefined || result === undefined || !('duplicate' in result)) continue;
      const { leadId, messageId, duplicate } = result;
      if (written.action === 'OPT_OUT') optedOut.set(item, leadId);
      if (duplicate) continue;
      const webhookCallId = 'webhookCallId' in item ? item.webhookCallId : undefined;
      const evidence = { messageId, webhookCallId, instanceId, decidedAt: message.timestamp };
      decisions.push({ leadId, source: 'KEYWORD', ...written, ...evidence });
    }
    await this.options.consent.enter(tx, decisions, words);
    return optedOut;
  }

  private async writePreferences(
    tx: Transaction,
    preferences: readonly ItemWith<LeadPreference>[],
    optedOut: Map<Located, string>,
  ): Promise<void> {
    const leadIds = await this.options.consent.enterPreferences(
      tx,
      preferences.map(([, preference]) => preference),
    );
    for (const [index, [item, { action }]] of preferences.entries()) {
      const leadId = leadIds[index];
      if (leadId !== undefined && action === 'OPT_OUT') optedOut.set(item, leadId);
    }
  }

  private async writeMessages(tx: Transaction, messages: readonly ItemWith<MessageReport>[], results: Results) {
    const received = await this.options.reportedMessages.receive(
      tx,
      messages.map(([, message]) => message),
      'webhook',
    );
    for (const [index, [item]] of messages.entries()) results.set(item, received[index] ?? unwritten());
  }

  // Changes are written after messages, because an edit may stand in the same batch as its message.
  private async writeChanges(tx: Transaction, changes: readonly ItemWith<ChangeReport>[], results: Results) {
    const outcomes = await this.options.changes.report(
      tx,
      changes.map(([, report]) => report),
    );
    for (const [index, [item, { externalId, reported }]] of changes.entries()) {
      const { messageId, outcome } = outcomes[index] ?? unwritten();
      results.set(item, { messageId, externalId, change: reported.change, outcome });
    }
  }

  private async writeStatuses(tx: Transaction, statuses: readonly ItemWith<RevealingStatus>[], results: Results) {
    const outcomes = await this.options.statuses.report(
      tx,
      statuses.map(([, status]) => status),
    );
    const reveals: Revealed[] = [];
    for (const [index, [item, { externalId, contact }]] of statuses.entries()) {
      const { messageId, outcome } = outcomes[index] ?? unwritten();
      results.set(item, { messageId, externalId, outcome });
      if (messageId !== null && contact !== undefined) reveals.push({ messageId, contact });
    }
    await this.options.reportedMessages.learnRecipients(tx, reveals);
  }

  private async writeTemplateStatuses(
    tx: Transaction,
    templates: readonly ItemWith<TemplateStatusReport>[],
    results: Results,
  ) {
    const reports = templates.map(([, report]) => report);
    const outcomes = await this.options.channelTemplateStatuses.report(tx, reports);
    for (const [index, [item]] of templates.entries()) results.set(item, outcomes[index] ?? unwritten());
  }

  // Echoes of outbound messages meet our own sends by provider id. With an echo, its id and those of all statuses and changes of the batch
  // are locked together, in one order, so that two batches never wait for each other.
  private async lockEchoes(
    tx: Transaction,
    messages: readonly ItemWith<MessageReport>[],
    reports: readonly ItemWith<ExternalKey>[],
  ): Promise<void> {
    const echoes = messages.flatMap(([, { instanceId, message }]) =>
      message.direction === 'OUTBOUND' ? [{ instanceId, externalId: message.externalId }] : [],
    );
    if (echoes.length === 0) return;
    await this.options.statuses.lockExternalIds(tx, [...echoes, ...reports.map(([, report]) => report)]);
  }
}

function isLead(read: ReadWebhookCall): read is LeadCall {
  return read.intake.kind === 'lead';
}

function isChat(read: ReadWebhookCall): read is ReadWebhookCall & { intake: ChatIntake } {
  return read.intake.kind === 'chat';
}

function settleItems({ intake }: ReadWebhookCall, { results, optedOut }: WrittenItems): Settled {
  const [only] = results;
  if (intake.kind === 'chat' && !intake.many && only !== undefined && 'errors' in only)
    return { refusal: validationFailed(only.errors) };
  const answer = { accepted: results.filter((result) => !('errors' in result)).length, results };
  return optedOut.length === 0 ? { answer } : { answer, optedOut };
}

// A history that repeats stored items is no news for the journal.
function hasNothingNew({ call }: ReadWebhookCall, settled: Settled): boolean {
  if (call.source !== 'history' || call.replayOf !== undefined || !('answer' in settled)) return false;
  const { answer } = settled;
  return 'results' in answer && !answer.results.some(isNews);
}

function isNews(result: ItemResult): boolean {
  return 'duplicate' in result ? !result.duplicate : result.outcome === 'applied' || result.outcome === 'parked';
}

function toEntry(read: ReadWebhookCall, settled: Settled, items: readonly Located[] = []): JournalEntry {
  const { call, dialect } = read;
  const content = isLead(read) ? leadContent : contentOf(items);
  if ('refusal' in settled) return { ...refusedEntry(call, dialect, settled.refusal), content };
  const { answer } = settled;
  const taken = { call, dialect, content, result: answer };
  if (!('results' in answer) || answer.accepted === answer.results.length) return { ...taken, outcome: 'processed' };
  if (answer.accepted > 0) return { ...taken, outcome: 'partial' };
  return { ...taken, outcome: 'refused', reason: reasonOf(answer.results) };
}

// A call whose items all were beyond the limit never comes here: an item at least is wrong.
function reasonOf(results: readonly ItemResult[]): string {
  const limited = results.filter((result) => 'code' in result).length;
  const reason = 'VALIDATION_FAILED: no item could be taken';
  return limited === 0 ? reason : `${reason}; ${limited} of ${results.length} were beyond the limit (RATE_LIMITED)`;
}

function unwritten(): never {
  throw new Error('an item has no result');
}
