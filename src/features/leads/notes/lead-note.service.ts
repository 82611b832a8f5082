// Notes, which operators write about a lead, and touches, which say where a lead came from each time. Both are read for many leads at
// once.

import type { Database } from '../../../platform/database/database.js';
import { AppError, notFound } from '../../../platform/errors.js';
import { isUuid, parseInput } from '../../../platform/input/input.js';
import { readOwnedPages, type OwnedCount, type OwnedPage, type PageArgs } from '../../../platform/database/page.js';
import { requireUser, type Principal, type UserPrincipal } from '../../../platform/principal.js';
import { newRecordId } from '../../../platform/database/record-id.js';
import type { Transaction, Transactor } from '../../../platform/database/transaction.js';
import { lockLead } from '../lead.sql.js';
import {
  countOfLeads,
  deleteNote,
  insertNote,
  lockNote,
  selectOfLeads,
  updateNote,
  type LeadNoteRow,
  type LeadTouchRow,
} from './lead-note.sql.js';
import { noteBodySchema } from '../lead.schema.js';

export type { LeadNoteRow, LeadTouchRow } from './lead-note.sql.js';

export class LeadNoteService {
  constructor(
    private readonly database: Database,
    private readonly transactor: Transactor,
  ) {}

  /**
   * Adds a note. Emits LEAD_UPDATED and LEAD_NOTE_CHANGED.
   * @throws AppError NOT_FOUND for the lead; VALIDATION_FAILED on `body`
   */
  async add(principal: Principal | undefined, leadId: string, body: string): Promise<LeadNoteRow> {
    const user = requireUser(principal);
    const text = parseInput(noteBodySchema, body, 'body');
    return this.transactor.run(user.tenantId, async (tx) => {
      const lead = await lockLead(tx, leadId);
      const [note] = await tx.query<LeadNoteRow>(insertNote, [tx.tenantId, newRecordId(), lead.id, user.userId, text]);
      if (note === undefined) throw new Error('a note that was just written cannot be read');
      announce(tx, user, note, 'NOTE_ADDED');
      return note;
    });
  }

  /**
   * Replaces a note's text. Its author and ADMINs may; safe to repeat. Emits LEAD_UPDATED and LEAD_NOTE_CHANGED.
   * @throws AppError NOT_FOUND; FORBIDDEN for another OPERATOR's note; VALIDATION_FAILED on `body`
   */
  async update(principal: Principal | undefined, id: string, body: string): Promise<LeadNoteRow> {
    const user = requireUser(principal);
    const text = parseInput(noteBodySchema, body, 'body');
    return this.transactor.run(user.tenantId, async (tx) => {
      const before = await lockOwn(tx, user, id);
      if (before.body === text) return before;
      const [note] = await tx.query<LeadNoteRow>(updateNote, [tx.tenantId, id, text]);
      announce(tx, user, before, 'NOTE_UPDATED');
      return note ?? before;
    });
  }

  /**
   * Takes a note away. Its author and ADMINs may. Emits LEAD_UPDATED and LEAD_NOTE_CHANGED.
   * @returns its id
   * @throws AppError NOT_FOUND, also when it is gone already; FORBIDDEN for another OPERATOR's note
   */
  async delete(principal: Principal | undefined, id: string): Promise<string> {
    const user = requireUser(principal);
    return this.transactor.run(user.tenantId, async (tx) => {
      const note = await lockOwn(tx, user, id);
      await tx.query(deleteNote, [tx.tenantId, id]);
      announce(tx, user, note, 'NOTE_DELETED');
      return note.id;
    });
  }

  /** A page of each lead's notes, the newest first, in one statement. */
  async listOfLeads(
    principal: Principal,
    leadIds: readonly string[],
    args: PageArgs,
  ): Promise<OwnedPage<LeadNoteRow>[]> {
    return this.readPages<LeadNoteRow>('lead_notes', principal, leadIds, args);
  }

  /** Lists touches like `listOfLeads` lists notes. A touch is a time that a lead was sent in. */
  async listTouches(
    principal: Principal,
    leadIds: readonly string[],
    args: PageArgs,
  ): Promise<OwnedPage<LeadTouchRow>[]> {
    return this.readPages<LeadTouchRow>('lead_touches', principal, leadIds, args);
  }

  private readPages<Row extends { id: string; leadId: string }>(
    table: 'lead_notes' | 'lead_touches',
    { tenantId }: Principal,
    leadIds: readonly string[],
    args: PageArgs,
  ): Promise<OwnedPage<Row>[]> {
    return readOwnedPages<Row>(args, leadIds, {
      list: table,
      keyOf: ({ id }) => id,
      ownerOf: ({ leadId }) => leadId,
      read: (range, owners) =>
        this.database.query<Row>(selectOfLeads(table, range), [tenantId, owners, range.from ?? null, range.limit]),
      count: (owners) => this.database.query<OwnedCount>(countOfLeads(table), [tenantId, owners]),
    });
  }
}

async function lockOwn(tx: Transaction, user: UserPrincipal, id: string): Promise<LeadNoteRow> {
  const [note] = isUuid(id) ? await tx.query<LeadNoteRow>(lockNote, [tx.tenantId, id]) : [];
  if (note === undefined) throw notFound('note');
  if (note.authorId !== user.userId && user.role !== 'ADMIN')
    throw new AppError('FORBIDDEN', 'Only its author and ADMINs may change a note');
  return note;
}

function announce(tx: Transaction, { userId }: UserPrincipal, note: LeadNoteRow, change: string): void {
  const data = { change, noteId: note.id, userId };
  tx.emit({ type: 'LEAD_UPDATED', leadId: note.leadId, data });
  tx.emit({ type: 'LEAD_NOTE_CHANGED', leadId: note.leadId, data });
}
