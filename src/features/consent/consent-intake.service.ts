// Finds the texts and preferences of leads that are decisions about consent, in the transaction that records the message.

import type { Transaction } from '../../platform/database/transaction.js';
import type { LeadContact, LeadService } from '../leads/lead.service.js';
import { typedKeyOf } from '../messages/reported.js';
import type { ReportedMessage } from '../../providers/reported.js';
import { keywordKeyOf } from '../tenants/keyword-form.js';
import { lockTenant, selectConsentWords, type TenantRow } from '../tenants/tenant.sql.js';
import type { ConsentAction } from './consent.schema.js';
import type { ConsentService } from './consent.service.js';
import type { ConsentDecision } from './consent.sql.js';

/** A tenant's keywords and its reply. */
type ConsentWords = Pick<TenantRow, 'optOutKeywords' | 'optInKeywords' | 'optOutReply'>;

/** A keyword that a lead wrote. */
export interface WrittenKeyword {
  action: ConsentAction;
  keyword: string;
}

/** A decision of a lead. The answer to an opt-out leaves through `instanceId`; without it there is no answer. */
export interface LeadDecision extends ConsentDecision {
  instanceId?: string | undefined;
}

/** A person's choice by a switch of the chat network. */
export interface LeadPreference {
  contact: LeadContact['identities'];
  action: ConsentAction;
  decidedAt?: Date | undefined;
  webhookCallId: string;
}

/** A text that answers an opt-out. */
export interface OptOutAnswer {
  leadId: string;
  instanceId: string;
}

export interface ConsentIntakeOptions {
  consent: ConsentService;
  leads: LeadService;
  /** Queues the tenant's reply to leads that have just opted out, in the same transaction. */
  answer: (tx: Transaction, answers: readonly OptOutAnswer[], text: string) => Promise<void>;
}

/** The source of a lead that becomes known by its preference. */
const leadSource = 'webhook';

/** The age up to which an opt-out is answered. A message that is recovered later gets no answer. */
const answeredWithinMs = 24 * 60 * 60 * 1_000;

/** The keywords of a batch's tenant, fixed while the batch's transaction lasts. */
export class TenantKeywords {
  readonly optOutReply: string | null;
  private readonly byKey = new Map<string, WrittenKeyword>();

  constructor({ optOutKeywords, optInKeywords, optOutReply }: ConsentWords) {
    this.optOutReply = optOutReply;
    for (const keyword of optInKeywords) this.add('OPT_IN', keyword);
    for (const keyword of optOutKeywords) this.add('OPT_OUT', keyword);
  }

  find(message: ReportedMessage): WrittenKeyword | undefined {
    return this.byKey.get(typedKeyOf(message) ?? '');
  }

  private add(action: ConsentAction, keyword: string): void {
    const key = keywordKeyOf(keyword);
    if (key !== null) this.byKey.set(key, { action, keyword });
  }
}

export class ConsentIntakeService {
  constructor(private readonly options: ConsentIntakeOptions) {}

  /**
   * Reads the keywords, if one of the messages may be one. If one is, or if `decides` is true, it takes the tenant lock. A claim of the
   * tenant's messages then ends before the opt-out commits, or begins after it. Call it before anything is written, as the lock goes first.
   * @returns undefined if no message is a keyword
   */
  async hold(
    tx: Transaction,
    messages: readonly ReportedMessage[],
    decides: boolean,
  ): Promise<TenantKeywords | undefined> {
    const candidates = messages.filter((message) => typedKeyOf(message) !== null);
    if (candidates.length === 0 && !decides) return undefined;
    const isAmong = (words: TenantKeywords) => candidates.some((message) => words.find(message) !== undefined);
    const read = await readWords(tx, selectConsentWords);
    if (!decides && !isAmong(read)) return undefined;
    // The keywords are read again under the lock, because they may just have been changed.
    const held = await readWords(tx, lockTenant);
    return isAmong(held) ? held : undefined;
  }

  /** Enters the decisions of leads, in their order, and answers leads that opted out by a keyword. Under the tenant lock. */
  async enter(tx: Transaction, decisions: readonly LeadDecision[], words: TenantKeywords | undefined): Promise<void> {
    if (decisions.length === 0) return;
    const changes = await this.options.consent.enter(tx, decisions);
    const text = words?.optOutReply ?? null;
    if (text === null) return;
    const since = Date.now() - answeredWithinMs;
    const answers = changes.flatMap(({ leadId, action, instanceId, decidedAt }) => {
      const isRecent = decidedAt === undefined || decidedAt.getTime() > since;
      return action === 'OPT_OUT' && instanceId !== undefined && isRecent ? [{ leadId, instanceId }] : [];
    });
    if (answers.length > 0) await this.options.answer(tx, answers, text);
  }

  /**
   * Enters preferences, in the order of their times. A person who is not known becomes a lead, so that the choice is not lost. Under the
   * tenant lock. @returns the lead of each preference
   */
  async enterPreferences(tx: Transaction, preferences: readonly LeadPreference[]): Promise<string[]> {
    if (preferences.length === 0) return [];
    const contacts = preferences.map(({ contact: identities }) => ({ identities }));
    const found = await this.options.leads.findOrCreate(tx, contacts, leadSource);
    const decisions = preferences.map(({ action, decidedAt, webhookCallId }, index): ConsentDecision => {
      return { leadId: found[index]?.lead.id ?? '', action, source: 'PREFERENCE', decidedAt, webhookCallId };
    });
    const timeOf = ({ decidedAt }: ConsentDecision) => decidedAt?.getTime() ?? Infinity;
    await this.options.consent.enter(
      tx,
      decisions.toSorted((one, other) => Math.sign(timeOf(one) - timeOf(other)) || 0),
    );
    return decisions.map(({ leadId }) => leadId);
  }
}

async function readWords(tx: Transaction, statement: typeof selectConsentWords): Promise<TenantKeywords> {
  const [words] = await tx.query<ConsentWords>(statement, [tx.tenantId]);
  return new TenantKeywords(words ?? { optOutKeywords: [], optInKeywords: [], optOutReply: null });
}
