// The data of a lead that upper modules keep. They hand it to leads in services.ts, so that leads reads and moves their rows without
// knowing their tables.

import type { NamedStatement } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';

/** Rows that follow their lead when it is merged, and go back when the merge is undone. */
export interface LeadRows {
  /** A table with the columns `tenant_id` and `lead_id`. */
  table: string;
  /** The key by which a merge remembers a row, in SQL. */
  key: string;
  /** The column of `lead_merges` that lists the rows that a merge moved. */
  listedIn: 'message_ids' | 'touch_ids' | 'note_ids' | 'identities';
  /** True where these rows make that list; false where they only use another table's. */
  makesList: boolean;
}

export interface MessagesOfLead {
  rows: LeadRows;
  /** The id or the position of the newest message of a kind, of tenant $1 and lead $2, as a subquery. */
  newest: (kind: MessageKind, column: 'id' | 'position') => string;
  /** The position of a message of tenant $1, as a subquery. @param messageId in SQL */
  positionOf: (messageId: string) => string;
  /**
   * $1 tenant, columns of messages whose leads are locked: $2 ids, $3 leads, $4 the positions of their leads' newest messages. Places them
   * behind these, in their own order → `messageId`, and `position`.
   */
  placeLast: NamedStatement;
  /** `id` and `place` of the inbound messages of tenant $1 and lead $2, where 1 is the newest. */
  inbound: string;
  /**
   * A subquery for a lead of tenant $1: one row with `last_answer_position`, `last_inbound_position`, `last_inbound_at` and
   * `waiting_since`.
   * @param leadId the lead, in SQL
   */
  conversationOf: (leadId: string) => string;
  /** A condition: the newest message of a lead `l` of tenant $1 belongs to an instance. */
  newestThrough: (instanceId: string) => string;
  /** $1 tenant, $2 lead → `count`. */
  count: NamedStatement;
  /**
   * Counts, as a subquery for tenant $1, the inbound messages of a lead that came after one of them.
   * @param most the most messages that are counted; in SQL, as the other parameters
   */
  laterInbound: (leadId: string, messageId: string, most: string) => string;
  /** $1 tenant, $2 lead, $3 message, $4 the most that are counted → `SeenMessage`. */
  countAfter: NamedStatement;
}

/** A message up to which somebody has seen a conversation. */
export interface SeenMessage {
  /** Null where it is no message of the lead. */
  position: string | null;
  /** The number of inbound messages after it. */
  unread: number;
}

/** Bulk messages leave their lead where it is in the inbox. */
export type MessageKind = 'single' | 'bulk';

export interface SuppressedLead {
  leadId: string;
  erasedAt: Date;
  /** True where the transaction has made the lead: nothing waits for it, and LEAD_CREATED tells of it. */
  isNew: boolean;
}

/** A merge that is being undone. */
export interface EndedMerge {
  survivorId: string;
  mergedId: string;
  /** Leads that had been merged into the merged one before. */
  ledIds: readonly string[];
  /** Rows that came after the merge are not older. */
  since: Date;
}

/** The consent of leads to bulk and scheduled messages, and its ledger. */
export interface ConsentOfLead {
  /** A condition: a lead `l` of tenant $1 has opted out. */
  isOptedOut: string;
  /**
   * Opts out leads whose person had opted out as an earlier lead, as of that lead's erasure. A later opt-in of theirs stands. For known
   * leads it cancels waiting messages that need consent, and emits LEAD_UPDATED.
   */
  suppress: (tx: Transaction, leads: readonly SuppressedLead[]) => Promise<void>;
  /** The survivor of a merge gets the entries, and has opted out if one of the two had. */
  follow: (tx: Transaction, survivorId: string, mergedId: string) => Promise<void>;
  /**
   * Both leads get back their entries. Each has opted out if it had before the merge, or if an opt-out was entered since: nobody knows
   * which of the two it was. An opt-in since lifts the survivor's only where a user entered it.
   */
  separate: (tx: Transaction, merge: EndedMerge) => Promise<void>;
}

/** The contacts of leads: e-mail addresses in lower case, and numbers with country code. */
export interface KnownContacts {
  emails: string[];
  numbers: string[];
}

export interface LeadContent {
  messages: MessagesOfLead;
  /** The messages that wait to be sent. They are locked after `messages`. */
  outbox: {
    rows: LeadRows;
    isBeingSent: NamedStatement;
    /** $1 tenant, $2 leads: erases the gateways' answers to sends to them. The sends still count against the rate limit. */
    forgetAnswers: NamedStatement;
    /**
     * Cancels messages of one bulk send that a lead would get twice, now that it is two leads in one. Emits MESSAGE_STATUS_CHANGED for
     * each.
     */
    endDoubles: (tx: Transaction, leadIds: readonly string[]) => Promise<void>;
  };
  consent: ConsentOfLead;
  heldSubmissions: {
    /** Removes submissions of a person that wait for a number, and their calls' data in the journal. */
    erase: (tx: Transaction, contacts: KnownContacts) => Promise<void>;
  };
}
