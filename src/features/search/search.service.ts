// Searches everything of a tenant at once: people by name, number, e-mail address and tag, messages and notes by
// their words.

import type { Database } from '../../platform/database/database.js';
import { AppError } from '../../platform/errors.js';
import { isContention } from '../../platform/observability/fault.js';
import { parseInput } from '../../platform/input/input.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import type { SqlText } from '../../platform/database/sql-text.js';
import { findLeads } from '../leads/lead-search.sql.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';
import type { LeadNoteRow } from '../leads/notes/lead-note.sql.js';
import { findMessages, findNotes } from './message-search.sql.js';
import type { MessageRow, MessageService } from '../messages/message.service.js';
import { searchedWords } from './searched-words.js';
import { searchSchema, type Search } from './search.schema.js';
import { snippetOf, type Snippet } from './snippet.js';

export interface SearchOptions {
  database: Database;
  leads: Pick<LeadService, 'listByIds'>;
  messages: Pick<MessageService, 'listByIds'>;
}

/** A found message, with what was found in it. */
export interface FoundMessage extends Snippet {
  id: string;
  message: MessageRow;
}

/** A found note, with what was found in it. */
export interface FoundNote extends Snippet {
  id: string;
  note: LeadNoteRow;
}

export class SearchService {
  constructor(private readonly options: SearchOptions) {}

  /** Reads the input of a search. @throws AppError VALIDATION_FAILED on `text` and `first` */
  parse(principal: Principal | undefined, wanted: { text: string; first?: number | null | undefined }): Search {
    requireUser(principal);
    return parseInput(searchSchema, wanted);
  }

  /**
   * Returns leads in any state of their conversation, merged ones as their survivors: whose name begins with the text, then by their newest
   * message.
   * @throws AppError UNAVAILABLE if it takes longer than a search may
   */
  async findLeads(principal: Principal, { text, first }: Search): Promise<LeadRow[]> {
    if (first === 0) return [];
    const ids = await this.find(findLeads(principal.tenantId, text, first));
    return inOrder(ids, await this.options.leads.listByIds(principal, ids));
  }

  /**
   * Returns messages that have every word of the text, or its number, the newest first.
   * @throws AppError UNAVAILABLE if it takes longer than a search may
   */
  async findMessages(principal: Principal, { text, first }: Search): Promise<FoundMessage[]> {
    const words = searchedWords(text);
    if (first === 0 || words.words.length === 0) return [];
    const ids = await this.find(findMessages(principal.tenantId, words, first));
    const messages = inOrder(ids, await this.options.messages.listByIds(principal, ids));
    return messages.map((message) => ({ id: message.id, message, ...snippetOf(saidIn(message), words) }));
  }

  /**
   * Returns notes that have every word of the text, or its number, the newest first.
   * @throws AppError UNAVAILABLE if it takes longer than a search may
   */
  async findNotes(principal: Principal, { text, first }: Search): Promise<FoundNote[]> {
    const words = searchedWords(text);
    if (first === 0 || words.words.length === 0) return [];
    const notes = await this.read<LeadNoteRow>(findNotes(principal.tenantId, words, first));
    return notes.map((note) => ({ id: note.id, note, ...snippetOf(note.body, words) }));
  }

  private async find(wanted: SqlText): Promise<string[]> {
    return (await this.read<{ id: string }>(wanted)).map(({ id }) => id);
  }

  private async read<Row>({ text, values }: SqlText): Promise<Row[]> {
    try {
      return await this.options.database.search<Row>(text, values);
    } catch (error) {
      throw isContention(error) ? tookTooLong(error) : error;
    }
  }
}

// A record may be erased between the two reads: it is left out.
function inOrder<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The text of a message that its words come from. */
function saidIn({ body, media }: MessageRow): string {
  const file = (media ?? {}) as { caption?: unknown; fileName?: unknown };
  return [body, file.caption, file.fileName].filter((part) => typeof part === 'string' && part !== '').join(' ');
}

function tookTooLong(cause: unknown): AppError {
  const detail = 'The search took too long: search for a longer or a rarer word';
  return new AppError('UNAVAILABLE', detail, { retryAfterSeconds: 1, cause });
}
