// Owns the shape of Meta's webhooks: a report as Meta's Cloud API would make it, and its signature. report-plan.ts decides what is
// reported, and webhook-reporter.ts delivers it.

import { createHmac } from 'node:crypto';
import { digitsOf, ownNumberOf } from './dressed-report.js';
import type { CloudTarget, OutgoingMessage } from './message.schema.js';
import type { Report } from './report-plan.js';
import { partOf, type Wire } from './message-history.js';

/** A report's body, as report-plan.ts makes it. */
interface ReportBody {
  readonly messageId: string;
  readonly timestamp: number | string;
  readonly status?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly from?: string;
  readonly name?: string;
  readonly type?: string;
  readonly text?: string;
  readonly replyTo?: string;
  readonly media?: OutgoingMessage['media'];
  readonly reaction?: { readonly messageId: string; readonly emoji: string | null };
  readonly preference?: 'stop' | 'resume';
}

const UNSUPPORTED = { type: 'unsupported', errors: [{ code: 131051, title: 'Message type unknown' }] } as const;

/** The path of Meta's webhook calls for an instance. */
export function cloudPathOf({ instanceId }: CloudTarget): string {
  return `/webhooks/chat/cloud/${instanceId}`;
}

/** The report of a number, whose id at Meta is the name of the instance here. */
export function makeCloudBody(report: Report): object {
  const body = report.body as ReportBody;
  const isPreference = body.preference !== undefined;
  const wire = report.kind === 'inbound' ? report.row.wire : undefined;
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: ownNumberOf(report.instance), phone_number_id: report.instance },
    ...(isPreference ? preferencesOf(body) : report.kind === 'status' ? statusesOf(body) : messagesOf(body, wire)),
  };
  const change = { field: isPreference ? 'user_preferences' : fieldOf(wire), value };
  return { object: 'whatsapp_business_account', entry: [{ id: report.instance, changes: [change] }] };
}

/** Meta signs the raw bytes with the secret of the app. */
export function makeCloudHeaders(raw: string, { appSecret }: CloudTarget): Record<string, string> {
  const digest = createHmac('sha256', appSecret).update(raw).digest('hex');
  return { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${digest}` };
}

function statusesOf({ messageId, status = '', timestamp, error }: ReportBody): object {
  const { code, message: title = '' } = error ?? {};
  const errors = error === undefined ? {} : { errors: [{ code: numberOr(code), title, message: title }] };
  return { statuses: [{ id: messageId, status: status.toLowerCase(), timestamp: secondsOf(timestamp), ...errors }] };
}

function fieldOf(wire: Wire | undefined): string {
  return wire?.cloudField ?? 'messages';
}

function messagesOf(body: ReportBody, wire: Wire | undefined): object {
  const { from, name, messageId: id, timestamp, replyTo } = body;
  const context = replyTo === undefined ? {} : { context: { id: replyTo } };
  const content = partOf(wire?.cloud, { ...contentOf(body) });
  const message = { from, id, timestamp: secondsOf(timestamp), ...context, ...content };
  const contact = { wa_id: from, ...(name === undefined ? {} : { profile: { name } }) };
  return { contacts: [contact], [fieldOf(wire)]: [message] };
}

function contentOf({ messageId, type = '', text, reaction, media }: ReportBody): object {
  if (reaction !== undefined)
    return { type: 'reaction', reaction: { message_id: reaction.messageId, emoji: reaction.emoji ?? '' } };
  if (media !== undefined) {
    const { mimeType: mime_type, caption = text, fileName } = media;
    const filename = type === 'document' ? { filename: fileName } : {};
    return { type, [type]: { id: cloudFileIdOf(messageId), mime_type, caption, ...filename } };
  }
  return type === 'text' ? { type, text: { body: text } } : UNSUPPORTED;
}

/** The id of a message's file at Meta: digits, the same for the same message. */
export function cloudFileIdOf(messageId: string): string {
  return String(Number.parseInt(digitsOf(`file of ${messageId}`, 12), 16)).padStart(15, '1');
}

function preferencesOf({ from, preference, timestamp }: ReportBody): object {
  const detail =
    preference === 'stop' ? 'User requested to stop marketing messages' : 'User requested to resume marketing messages';
  const category = 'marketing_messages';
  const entry = { wa_id: from, detail, category, value: preference, timestamp: Number(secondsOf(timestamp)) };
  return { contacts: [{ wa_id: from }], user_preferences: [entry] };
}

function secondsOf(timestamp: number | string): string {
  return String(typeof timestamp === 'number' ? timestamp : Math.floor(Date.parse(timestamp) / 1_000));
}

function numberOr(code = ''): number | string {
  return /^\d+$/.test(code) ? Number(code) : code;
}
