// The neutral dialect (contract, section 3): one item, or many under `messages` or `statuses`, each of its own instance. `messages` may
// also hold a lead's reactions, edits and deletions, told apart by their type.

import type { z } from 'zod';
import { fieldErrors, isPlainObject, validationFailed, withoutEmpty } from '../../platform/input/input.js';
import { eventSchemas, type InboundCall, type InboundNotice } from './event.schema.js';
import type {
  Ignored,
  NamedReport,
  ReportedChange,
  ReportedItem,
  ReportedMessage,
  ReportedStatus,
} from '../reported.js';
import { readFormAnswers } from '../whatsapp/form-answers.js';
import { assistant, isAssistantNumber, readJid } from '../whatsapp/jid.js';
import { toCall } from '../whatsapp/call.js';
import type { ReadChoice } from '../whatsapp/choice.js';
import { lenient } from './leniency.js';
import { noticeText } from '../whatsapp/notice-text.js';
import { toReferral, type Referral } from '../referral.js';
import { inboundMessageSchema, statusReportSchema, type InboundMessage, type StatusReport } from './message.schema.js';
import { changeSchemas, type InboundChange } from './change.schema.js';

/** At most this many items in one call. */
export const maxItems = 500;

/** `many`: each item stands for itself. Otherwise an error in the one item refuses the call. */
export interface NeutralCall {
  many: boolean;
  reports: NamedReport[];
}

/** @throws AppError VALIDATION_FAILED when the list itself is wrong */
export function readNeutral(body: unknown, kind: 'messages' | 'statuses'): NeutralCall {
  return kind === 'messages'
    ? readItems(body, kind, readMessageOrChange)
    : readItems(body, kind, (value) => readAs(statusReportSchema, lenient(value), toStatus));
}

function readMessageOrChange(value: unknown): NamedReport {
  const item = lenient(value);
  return isPlainObject(item) && item.fromMe === true ? readOwn(item) : readItem(item);
}

/** The line's own message stands in the conversation with the number that it went to, and is none of the lead's. */
function readOwn({ to, ...item }: Record<string, unknown>): NamedReport {
  if (to === undefined) return ignored(item, "the line's own, without `to`");
  const report = readItem({ ...item, from: to });
  if ('item' in report) return { ...report, item: asOwn(report.item) };
  const errors = report.errors.map((error) => (error.path === 'from' ? { ...error, path: 'to' } : error));
  return { ...report, errors };
}

function ignored({ instance }: Record<string, unknown>, reason: string): NamedReport {
  const named = inboundMessageSchema.shape.instance.safeParse(instance).data;
  return { instance: named ?? null, item: { kind: 'ignored', reason } };
}

function asOwn(item: ReportedItem): ReportedItem {
  if (item.kind === 'change') return { ...item, direction: 'OUTBOUND' };
  if (item.kind !== 'message') return item;
  if (item.isNotice === true || item.type === 'call')
    return { kind: 'ignored', reason: 'quiet: a call or notice of the line' };
  return { ...item, direction: 'OUTBOUND', name: undefined, referral: undefined };
}

function readItem(item: unknown): NamedReport {
  const fields = isPlainObject(item) ? item : {};
  const { type, from } = fields;
  const conversation = typeof from === 'string' && from.includes('@') ? readJid(from) : { problem: '' };
  if ('ignored' in conversation) return ignored(fields, conversation.ignored);
  if ('identity' in conversation && conversation.identity.kind === 'LID') return readHidden(fields);
  if (isChangeType(type)) return readAs<InboundChange>(changeSchemas[type], item, toChange);
  if (type === 'call') return readAs(eventSchemas.call, item, toCallOf);
  if (type === 'notice') return readAs(eventSchemas.notice, item, toNotice);
  const report = readAs(inboundMessageSchema, item, toMessage);
  return 'item' in report && isWordless(report.item) ? { instance: null, errors: [wordless] } : report;
}

/** Libraries give the number behind a hidden one in these fields. In an own message, that of the sender is the line's. */
const partnerFields = ['remoteJidAlt', 'recipientAlt', 'recipientPn'];
const senderFields = [...partnerFields, 'fromAlt', 'senderAlt', 'senderPn', 'sender_pn'];

/** The digits of a hidden id are no number: taken for one, they would be that of a stranger. */
function readHidden(fields: Record<string, unknown>): NamedReport {
  const numbers = (fields.fromMe === true ? partnerFields : senderFields).flatMap((name) => {
    const jid = readJid(fields[name]);
    return 'identity' in jid && jid.identity.kind === 'PHONE' ? [jid.identity.value] : [];
  });
  return numbers[0] === undefined ? { instance: null, errors: [hidden] } : readItem({ ...fields, from: numbers[0] });
}

const hidden = {
  path: 'from',
  message: 'is a hidden id of the network (@lid), and no number: send the number beside it, as `remoteJidAlt`',
};

const wordless = { path: 'text', message: 'is required: there is neither a text nor a file' };

// A text that says nothing would be an empty line in the conversation.
function isWordless(item: ReportedItem): boolean {
  return (
    item.kind === 'message' &&
    item.type === 'text' &&
    item.text === undefined &&
    item.media === undefined &&
    item.referral?.headline === undefined
  );
}

function isChangeType(type: unknown): type is keyof typeof changeSchemas {
  return typeof type === 'string' && Object.hasOwn(changeSchemas, type);
}

function readAs<Input extends { instance?: string | null | undefined }>(
  schema: z.ZodType<Input>,
  value: unknown,
  toItem: (input: Input) => ReportedItem,
): NamedReport {
  const parsed = schema.safeParse(value);
  if (!parsed.success) return { instance: null, errors: fieldErrors(parsed.error) };
  return { instance: parsed.data.instance ?? null, item: toItem(parsed.data) };
}

function readItems(
  body: unknown,
  listName: 'messages' | 'statuses',
  read: (value: unknown) => NamedReport,
): NeutralCall {
  const list = isPlainObject(body) ? body[listName] : undefined;
  if (list === undefined) return { many: false, reports: [read(body)] };
  if (!Array.isArray(list)) throw validationFailed([{ path: listName, message: 'has to be a list' }]);
  if (list.length > maxItems)
    throw validationFailed([{ path: listName, message: `must not hold more than ${maxItems} items` }]);
  const { instance } = isPlainObject(body) ? body : {};
  return { many: true, reports: list.map((value) => read(withInstance(value, instance))) };
}

// An instance beside the list is the one of all its items that name none.
function withInstance(item: unknown, instance: unknown): unknown {
  return isPlainObject(item) ? { instance, ...withoutEmpty(item, ['instance']) } : item;
}

function toMessage(input: InboundMessage): ReportedMessage | Ignored {
  const { messageId, from, name, type, timestamp, media, replyTo, forwarded } = input;
  if (isAssistantNumber(from)) return { kind: 'ignored', reason: assistant };
  const picked = readChoice(input.choice);
  const text = input.text ?? picked?.text;
  const isPlaceholder = (type === 'unknown' && text == null && media == null && picked === undefined) || undefined;
  return {
    kind: 'message',
    direction: 'INBOUND',
    externalId: messageId,
    contact: [{ kind: 'PHONE', value: from }],
    name: name ?? undefined,
    type,
    text,
    media: media == null ? fileWithoutWords(type) : toMedia(media),
    replyTo: replyTo ?? undefined,
    timestamp: timestamp ?? undefined,
    referral: readNeutralReferral(input),
    choice: picked?.choice,
    isForwarded: forwarded === true || undefined,
    isPlaceholder,
  };
}

const fileTypes: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker']);

/** A file of which nothing else is said. */
function fileWithoutWords(type: string): ReportedMessage['media'] {
  return fileTypes.has(type) ? { url: null } : undefined;
}

/** Returns the choice, and the text that a person reads of it if the message has no words. */
function readChoice(choice: InboundMessage['choice']): ReadChoice | undefined {
  if (choice == null) return undefined;
  const { kind, answers: written } = choice;
  const [id, title, description] = [choice.id, choice.title, choice.description].map((word) => word ?? undefined);
  const { answers, text } = written == null ? {} : readFormAnswers(JSON.stringify(written));
  return { choice: { kind, id, title, description, answers }, text: text ?? title ?? description ?? id };
}

function toCallOf({ from, name, callId, video, timestamp }: InboundCall): ReportedMessage | Ignored {
  if (isAssistantNumber(from)) return { kind: 'ignored', reason: assistant };
  const { item } = toCall(callId, {
    contact: [{ kind: 'PHONE', value: from }],
    isVideo: video === true,
    at: timestamp ?? undefined,
  });
  return { ...item, name: name ?? undefined };
}

function toNotice({ messageId, from, name, text, notice, timestamp }: InboundNotice): ReportedMessage | Ignored {
  if (isAssistantNumber(from)) return { kind: 'ignored', reason: assistant };
  const { kind, newFrom } = notice;
  const reported = { kind, newContact: newFrom == null ? undefined : ({ kind: 'PHONE', value: newFrom } as const) };
  return {
    kind: 'message',
    direction: 'INBOUND',
    externalId: messageId,
    contact: [{ kind: 'PHONE', value: from }],
    name: name ?? undefined,
    type: 'notice',
    text: text ?? noticeText(reported),
    timestamp: timestamp ?? undefined,
    isNotice: true,
    notice: reported,
  };
}

function toChange(input: InboundChange): ReportedChange {
  const { from, timestamp } = input;
  const who = { direction: 'INBOUND', contact: [{ kind: 'PHONE', value: from }] } as const;
  const common = { kind: 'change', ...who, timestamp: timestamp ?? undefined } as const;
  if (input.type === 'reaction') {
    const { messageId, emoji } = input.reaction;
    return {
      ...common,
      change: 'REACTION',
      externalId: messageId,
      emoji: emoji == null || emoji === '' ? null : emoji,
    };
  }
  if (input.type === 'deletion') return { ...common, change: 'DELETION', externalId: input.deletion.messageId };
  return { ...common, change: 'EDIT', externalId: input.edit.messageId, text: input.edit.text };
}

function toMedia({ url, mimeType, fileName, caption }: NonNullable<InboundMessage['media']>): ReportedMessage['media'] {
  return {
    url: url ?? null,
    mimeType: mimeType ?? undefined,
    fileName: fileName ?? undefined,
    caption: caption ?? undefined,
  };
}

function toStatus({ messageId, status, timestamp, error }: StatusReport): ReportedStatus {
  return {
    kind: 'status',
    externalId: messageId,
    status,
    timestamp: timestamp ?? undefined,
    error: error == null ? undefined : { code: error.code, message: error.message ?? undefined },
  };
}

/** Reads the referral of a message from a lead in the neutral dialect. */
function readNeutralReferral({ referral }: InboundMessage): Referral | undefined {
  if (referral == null) return undefined;
  const { kind, ...fields } = referral;
  const isNamed = kind != null || Object.values(fields).some((value) => value != null && value !== '');
  return isNamed ? toReferral(kind ?? 'AD', fields) : undefined;
}
