// A call of the journal in words: who it is of, what it brought, and what became of it. Calls of versions before say less of themselves.

import type { IconName } from '../../parts/icon.js';
import type { messageWordTexts } from '../../parts/message-word-texts.js';
import { wordsOfMessage } from '../../parts/message-words.js';
import { refusalOf } from './call-routes.js';
import { ignoredBecause } from './ignored-texts.js';
import type { CallRowFragment, WebhookItemKind } from './operations.js';
import type { callRowTexts } from './row-texts.js';

export interface CallWords {
  who: string;
  icon?: IconName | undefined;
  what: string;
  /** The instance or the kind of lead source that was called. */
  through: string;
  result: string;
  /** `late` for a refused call, `warn` for one that tells of something wrong. */
  tone?: 'late' | 'warn' | undefined;
}

interface Words {
  texts: (typeof callRowTexts)['en'];
  messageTexts: (typeof messageWordTexts)['en'];
  formatNumber: (value: number) => string;
}

type Item = Readonly<Record<string, unknown>>;

const sourceDialects: ReadonlySet<string> = new Set(['LEAD', 'META_LEADS', 'GOOGLE_LEADS', 'FORM']);

export function wordsOfCall(call: CallRowFragment, words: Words): CallWords {
  const kind = kindOf(call);
  const { texts } = words;
  return {
    who: whoOf(call, kind, texts),
    ...whatOf(call, kind, words),
    through: throughOf(call, kind, texts),
    ...resultOf(call, kind, words),
  };
}

function kindOf({ kinds, dialect, result }: CallRowFragment): WebhookItemKind | undefined {
  const [first] = kinds;
  if (first !== undefined) return first;
  if (dialect !== null && sourceDialects.has(dialect)) return 'LEAD';
  const item = itemsOf(result)[0];
  if (item === undefined) return undefined;
  return 'duplicate' in item ? 'MESSAGE' : 'change' in item ? 'CHANGE' : 'externalId' in item ? 'STATUS' : undefined;
}

function itemsOf(result: unknown): readonly Item[] {
  const { results } = (result ?? {}) as { results?: unknown };
  return Array.isArray(results) ? (results as Item[]) : [];
}

function whoOf(
  { lead, leadSource, instance }: CallRowFragment,
  kind: WebhookItemKind | undefined,
  texts: Words['texts'],
): string {
  if (kind === 'LEAD') return leadSource?.name ?? texts.apiKey;
  return lead?.name ?? instance?.instanceName ?? texts.unknown;
}

function throughOf(
  { instance, leadSource }: CallRowFragment,
  kind: WebhookItemKind | undefined,
  texts: Words['texts'],
): string {
  if (instance !== null) return instance.instanceName;
  if (leadSource !== null) return texts[leadSource.kind];
  return kind === 'LEAD' ? texts.api : '–';
}

function whatOf(
  call: CallRowFragment,
  kind: WebhookItemKind | undefined,
  words: Words,
): Pick<CallWords, 'what' | 'icon'> {
  const { icon, what } = firstOf(call, kind, words);
  const { itemCount } = call;
  const more = itemCount > 1 ? `, ${words.texts.more(words.formatNumber(itemCount - 1))}` : '';
  return { icon, what: what + more };
}

const messageIcons: Partial<Record<string, IconName>> = {
  image: 'image',
  video: 'video',
  audio: 'mic',
  document: 'file',
  call: 'call',
};

function firstOf(
  call: CallRowFragment,
  kind: WebhookItemKind | undefined,
  words: Words,
): Pick<CallWords, 'what' | 'icon'> {
  const { texts } = words;
  const { lead, message, reported, route } = call;
  const [report = ''] = reported;
  if (kind === 'LEAD') {
    const isNew = isCreated(call);
    const name = lead?.name ?? '';
    return { icon: 'form', what: (isNew ? texts.newLead(name) : texts.lead(name)).trim() };
  }
  if (kind === 'MESSAGE')
    return { icon: message === null ? undefined : messageIcons[message.type], what: saidIn(message, words) };
  if (kind === 'STATUS') return { icon: 'check', what: texts.statusOf(saidIn(message, words)) };
  if (kind === 'CHANGE' && isOneOf(['REACTION', 'EDIT', 'DELETION'], report))
    return { icon: 'edit', what: texts[report](saidIn(message, words)) };
  if (kind === 'CONNECTION') return { icon: 'phone', what: texts.connection(stateOf(report, texts).toLowerCase()) };
  if (kind === 'PREFERENCE' && isOneOf(['OPT_OUT', 'OPT_IN'], report)) return { icon: 'user', what: texts[report] };
  if (kind === 'TEMPLATESTATUS') return { icon: 'template', what: texts.template(report) };
  const reason = itemsOf(call.result)[0]?.['reason'];
  if (kind === 'IGNORED' && typeof reason === 'string') return { what: texts.ignored(ignoredBecause(reason)) };
  return { what: route };
}

function saidIn(message: CallRowFragment['message'], { texts, messageTexts }: Words): string {
  if (message === null) return texts.unknownMessage;
  const said = wordsOfMessage(message, messageTexts);
  return said === message.body?.slice(0, said.length) ? texts.quote(said) : said;
}

function isCreated({ result }: CallRowFragment): boolean {
  const answer = (result ?? {}) as Item;
  return (itemsOf(result)[0] ?? answer)['created'] === true;
}

function resultOf(
  call: CallRowFragment,
  kind: WebhookItemKind | undefined,
  words: Words,
): Pick<CallWords, 'result' | 'tone'> {
  const { outcome, result, reason, replayOfId, itemCount } = call;
  const { texts, formatNumber } = words;
  const again = (said: string) => (replayOfId === null ? said : texts.replayed(said));
  if (outcome === 'REFUSED') {
    const code = refusalOf(reason)?.code ?? '';
    return { result: again(texts.refused(isOneOf(codes, code) ? texts[code] : code)), tone: 'late' };
  }
  if (outcome === 'PARTIAL') {
    const taken = itemsOf(result).filter((item) => !('errors' in item)).length;
    return { result: again(texts.partly(formatNumber(taken), formatNumber(itemCount))), tone: 'warn' };
  }
  const { result: said, tone } = takenResultOf(call, kind, texts);
  return { result: again(said), tone };
}

const codes = [
  'SIGNATURE_INVALID',
  'VALIDATION_FAILED',
  'BAD_REQUEST',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'NOT_FOUND',
  'CONFLICT',
] as const;
const waiting = ['parked', 'held', 'expected'] as const;

function takenResultOf(
  { reported, result }: CallRowFragment,
  kind: WebhookItemKind | undefined,
  texts: Words['texts'],
): Pick<CallWords, 'result' | 'tone'> {
  const [item = {}] = itemsOf(result);
  const outcome = item['outcome'];
  // A failure is told even where a better status of another message stands before it.
  const report = reported.includes('FAILED') ? 'FAILED' : (reported[0] ?? '');
  if (report === 'FAILED') return { result: texts.FAILED, tone: 'warn' };
  if (isOneOf(waiting, outcome)) return { result: texts[outcome], tone: outcome === 'held' ? 'warn' : undefined };
  if (kind === 'STATUS') return { result: isOneOf(statuses, report) ? texts[report] : texts.done };
  if (kind === 'CONNECTION')
    return {
      result: stateOf(report, texts),
      tone: report === 'DISCONNECTED' || report === 'ERROR' ? 'warn' : undefined,
    };
  if (item['duplicate'] === true) return { result: texts.known };
  if (kind === 'MESSAGE' || kind === 'LEAD') return { result: texts[kind] };
  return { result: kind === 'IGNORED' || outcome === 'ignored' ? texts.nothing : texts.done };
}

const statuses = ['SENT', 'DELIVERED', 'READ'] as const;
const states = ['CONNECTING', 'CONNECTED', 'DISCONNECTED', 'ERROR'] as const;

const stateOf = (report: string, texts: Words['texts']): string => (isOneOf(states, report) ? texts[report] : report);

function isOneOf<const Value extends string>(values: readonly Value[], value: unknown): value is Value {
  return (values as readonly unknown[]).includes(value);
}
