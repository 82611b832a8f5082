// Unsent text, quotes and files of each conversation. They are kept in memory, and stored in the browser under the user's id.

import { Store } from '../app/store.js';

export interface DraftFile {
  /** The upload's id. */
  id: string;
  name: string;
  size: number;
  mimeType: string;
  uploadedAt: number;
}

export interface Quote {
  id: string;
  /** The author of the quoted message. */
  author: string;
  text: string;
  /** The instance of the quoted message: the quote must leave through it. */
  instanceId: string;
}

export interface Draft {
  text: string;
  quote?: Quote | undefined;
  files: readonly DraftFile[];
  /** The instance that the user chose; undefined keeps the lead's reply instance. */
  instanceId?: string | undefined;
  /** The text that the log shows for a held message that was not typed, such as a network template. */
  shown?: string;
  changedAt: number;
}

export const emptyDraft: Draft = { text: '', files: [], changedAt: 0 };

interface Options {
  now: () => number;
  /** Undefined removes the stored draft. */
  save: (leadId: string, draft: Draft | undefined) => void;
  saveAfterMs: number;
  maxDrafts: number;
  /** The server deletes unsent uploads after a day. */
  uploadsLastMs: number;
}

export class Drafts {
  /** Drafts by lead id. The most recently changed draft comes last. */
  readonly all = new Store<ReadonlyMap<string, Draft>>(new Map());
  /** The ids of leads for whom something is written, which the inbox marks. */
  readonly leadIds = new Store<ReadonlySet<string>>(new Set());
  private readonly unsaved = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: Options) {}

  restore(kept: readonly (readonly [leadId: string, draft: Draft])[]): void {
    const { now, uploadsLastMs } = this.options;
    const isThere = ({ uploadedAt }: DraftFile) => now() - uploadedAt < uploadsLastMs;
    // A draft that was typed or emptied before the restore wins.
    const restored = kept
      .filter(([leadId]) => !this.unsaved.has(leadId))
      .map(([leadId, draft]) => [leadId, { ...draft, files: draft.files.filter(isThere) }] as const);
    this.change(new Map([...restored, ...this.all.value]));
  }

  get(leadId: string): Draft {
    return this.all.value.get(leadId) ?? emptyDraft;
  }

  set(leadId: string, draft: Draft): void {
    const { now, saveAfterMs, maxDrafts } = this.options;
    const all = new Map(this.all.value);
    all.delete(leadId);
    if (hasContent(draft) || draft.instanceId !== undefined) all.set(leadId, { ...draft, changedAt: now() });
    const [oldest] = all.size > maxDrafts ? all.keys() : [];
    for (const gone of oldest === undefined ? [] : [oldest]) {
      all.delete(gone);
      this.unsaved.add(gone);
    }
    this.unsaved.add(leadId);
    this.timer ??= setTimeout(() => this.flush(), saveAfterMs);
    this.change(all);
  }

  /** Puts messages that were taken back before the text that was typed since. */
  putBack(leadId: string, drafts: readonly Draft[]): void {
    this.set(leadId, joinDrafts([...drafts, this.get(leadId)]));
  }

  /** Moves what was written for a lead to the lead that it was merged into. */
  move(fromId: string, toId: string): void {
    const draft = this.get(fromId);
    if (draft === emptyDraft) return;
    if (hasContent(draft)) this.putBack(toId, [draft]);
    this.set(fromId, emptyDraft);
  }

  /** The current drafts that are not saved yet. An empty draft stands for a removed one. */
  get notSaved(): [leadId: string, draft: Draft][] {
    return [...this.unsaved].map((leadId) => [leadId, this.get(leadId)]);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const leadId of this.unsaved) this.options.save(leadId, this.all.value.get(leadId));
    this.unsaved.clear();
  }

  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.unsaved.clear();
    this.change(new Map());
  }

  private change(all: ReadonlyMap<string, Draft>): void {
    this.all.set(all);
    const known = this.leadIds.value;
    const written = new Set([...all].flatMap(([leadId, draft]) => (isWritten(draft) ? [leadId] : [])));
    const isSame = known.size === written.size && [...known].every((leadId) => written.has(leadId));
    if (!isSame) this.leadIds.set(written);
  }
}

/** False for a draft that is only the choice of an instance. It is kept too: the next answer leaves through that one. */
function hasContent({ text, quote, files }: Draft): boolean {
  return text !== '' || quote !== undefined || files.length > 0;
}

/** False for blanks alone, which are kept and never sent. */
function isWritten(draft: Draft): boolean {
  return hasContent({ ...draft, text: draft.text.trim() });
}

function joinDrafts(drafts: readonly Draft[]): Draft {
  const texts = drafts.map(({ text }) => text).filter((text) => text !== '');
  return {
    text: texts.join('\n'),
    quote: drafts.find(({ quote }) => quote !== undefined)?.quote,
    files: drafts.flatMap(({ files }) => files),
    instanceId: drafts.find(({ instanceId }) => instanceId !== undefined)?.instanceId,
    changedAt: 0,
  };
}
