// What the modules above keep of a lead. They hand it to leads in services.ts, so that leads reads and moves their rows without
// knowing their tables.

import type { NamedStatement } from '../../platform/database.js';
import type { Transaction } from '../../platform/transaction.js';

/** Rows that follow their lead when it is merged, and go back when the merge is undone. */
export interface LeadRows {
  /** A table with the columns `tenant_id` and `lead_id`. */
  table: string;
  /** What a merge remembers a row by, in SQL. */
  key: string;
  /** The column of `lead_merges` that lists the rows that a merge moved. */
  listedIn: 'message_ids' | 'touch_ids' | 'note_ids' | 'identities';
  /** Whether these rows make that list, or only use another table's. */
  makesList: boolean;
}

export interface MessagesOfLead {
  rows: LeadRows;
  /** Of tenant $1 and lead $2: the id of the newest message of a kind, as a subquery. */
  newestId: (kind: MessageKind) => string;
  /** Of tenant $1 and lead $2: `id` and `position` of the inbound messages, where 1 is the newest. */
  inbound: string;
  /**
   * Of tenant $1 and a lead: one row with `last_answer_id`, `last_inbound_id`, `last_inbound_at` and `waiting_since`, as a subquery.
   * @param leadId the lead, in SQL
   */
  conversationOf: (leadId: string) => string;
  /** Whether the newest message of a lead `l` of tenant $1 belongs to an instance, as a condition. */
  newestThrough: (instanceId: string) => string;
  /** $1 tenant, $2 lead → `count`. */
  count: NamedStatement;
  /**
   * Of tenant $1: how many inbound messages of a lead came after one of them, as a subquery.
   * @param most counted, as the other parameters in SQL
   */
  laterInbound: (leadId: string, messageId: string, most: string) => string;
  /** $1 tenant, $2 lead, $3 message, $4 limit → `unread`: later inbound messages, and `isKnown`: whether the lead has the message. */
  countAfter: NamedStatement;
}

/** Bulk messages leave their lead where it is in the inbox. */
export type MessageKind = 'single' | 'bulk';

export interface SuppressedLead {
  leadId: string;
  erasedAt: Date;
  /** The transaction has made the lead: nothing waits for it, and LEAD_CREATED tells of it. */
  isNew: boolean;
}

/** Whether a lead may get bulk and scheduled messages, and the ledger of that. */
export interface ConsentOfLead {
  /** Whether a lead `l` of tenant $1 has opted out, as a condition. */
  isOptedOut: string;
  /**
   * Opts leads out of whose person an earlier lead had opted out, as of its erasure. A later opt-in of theirs stands. Of known leads it
   * cancels what waits and needs consent, and emits LEAD_UPDATED.
   */
  suppress: (tx: Transaction, leads: readonly SuppressedLead[]) => Promise<void>;
  /** The survivor of a merge gets the entries, and has opted out if one of the two had. */
  follow: (tx: Transaction, survivorId: string, mergedId: string) => Promise<void>;
  /** Both leads get back what they had. @param ledIds leads that had been merged into the merged one before */
  separate: (tx: Transaction, survivorId: string, mergedId: string, ledIds: readonly string[]) => Promise<void>;
}

/** What leads are known by beside their identities: addresses in lower case, and numbers with country code. */
export interface KnownContacts {
  emails: string[];
  numbers: string[];
}

export interface LeadContent {
  messages: MessagesOfLead;
  /** What waits to be sent; locked after the messages. */
  outbox: {
    rows: LeadRows;
    isBeingSent: NamedStatement;
    /** $1 tenant, $2 leads: what gateways said of sends to them goes. That they were sent counts on against the rate limit. */
    forgetAnswers: NamedStatement;
    /** Cancels what a lead would get twice of one bulk send, now that it is two leads in one. Emits MESSAGE_STATUS_CHANGED for each. */
    endDoubles: (tx: Transaction, leadIds: readonly string[]) => Promise<void>;
  };
  consent: ConsentOfLead;
  heldSubmissions: {
    /** Removes submissions of a person that wait for a number, with what the journal has of them. */
    erase: (tx: Transaction, contacts: KnownContacts) => Promise<void>;
  };
}
