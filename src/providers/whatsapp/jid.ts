// Finds the other side of a conversation by its jids: the identities that they reveal, and the conversations that belong to no lead. The
// dialects know which fields of a message hold a jid.

import type { FieldError } from '../../platform/errors.js';
import { externalId } from '../../platform/input/input.js';
import { parseChatNumber } from '../../platform/phone-numbers/written-number.js';
import type { LeadIdentity, ReportedMessage } from '../reported.js';
import { matchKeyOfNumber } from '../../platform/phone-numbers/match-key.js';

/** A jid names one identity, or a conversation that means nothing to us, or nothing that can be read. */
export type ReadJid = { identity: LeadIdentity } | { ignored: string } | { problem: string };

export type ReadContact = { contact: ReportedMessage['contact'] } | { ignored: string } | { errors: FieldError[] };

/** Room for an identity of at most 255 characters with its device, its agent and its domain. */
const maxJidLength = 300;

const numberDomains = new Set(['', 's.whatsapp.net', 'c.us', 'hosted']);
const hiddenDomains = new Set(['lid', 'hosted.lid']);
/** The reason for ignoring what the line's owner wrote to the line itself. */
export const noteToSelf = 'a note of the line to itself';
/** The reason for ignoring messages of the network's assistant. */
export const assistant = "the network's own assistant";

const ignoredDomains: ReadonlyMap<string, string> = new Map([
  ['g.us', 'a group'],
  ['newsletter', 'a newsletter'],
  ['broadcast', 'a broadcast list'],
  ['bot', assistant],
]);

export interface Jids {
  /** Names the conversation, and so decides whether it is one with a lead. */
  partner: unknown;
  /** All values that may name the lead, the partner included. */
  candidates: readonly unknown[];
  /** The instance's own jids, as far as they are known. They are never taken for the lead's. */
  own: readonly unknown[];
}

/**
 * Returns every identity of the lead that the jids reveal, numbers first.
 * @param path the partner's path, for errors
 */
export function contactOf({ partner, candidates, own }: Jids, path: string): ReadContact {
  const conversation = readJid(partner);
  if ('ignored' in conversation) return conversation;
  const found = distinct(candidates.flatMap(identityIn));
  const ours = new Set(own.flatMap(identityIn).map(matchKey));
  const identities = found.filter((identity) => !ours.has(matchKey(identity)));
  const [first, ...others] = [...ofKind(identities, 'PHONE'), ...ofKind(identities, 'LID')];
  if (first !== undefined) return { contact: [first, ...others] };
  if (found.length > 0) return { ignored: noteToSelf };
  return { errors: [{ path, message: 'problem' in conversation ? conversation.problem : 'is required' }] };
}

/** Reads `5511…@s.whatsapp.net`, `…@c.us`, `…@lid`, each with or without a device (`:12`), and a bare number. */
export function readJid(value: unknown): ReadJid {
  if (value === undefined || value === null) return { problem: 'is required' };
  if (typeof value !== 'string') return { problem: 'has to be text' };
  if (value.length > maxJidLength) return { problem: `must not exceed ${maxJidLength} characters` };
  const [written = '', domain = ''] = value.trim().split('@', 2);
  const user = written.split(/[:_]/, 1)[0] ?? '';
  if (domain === 'broadcast' && user === 'status') return { ignored: 'a status update' };
  const reason = ignoredDomains.get(domain);
  if (reason !== undefined) return { ignored: reason };
  if (hiddenDomains.has(domain)) return readHidden(user);
  return numberDomains.has(domain) ? readNumbered(user) : { problem: 'has to end in a domain of the network' };
}

function readHidden(user: string): ReadJid {
  const value = externalId.safeParse(user);
  if (!value.success) return { problem: 'has to name a person before the @' };
  return { identity: { kind: 'LID', value: value.data } };
}

function readNumbered(user: string): ReadJid {
  if (user === '0') return { ignored: 'an announcement of the network' };
  if (isAssistantNumber(user)) return { ignored: assistant };
  const number = parseChatNumber(user);
  return 'problem' in number ? number : { identity: { kind: 'PHONE', value: number.digits } };
}

// The network keeps these numbers for its assistants.
const assistantNumber = /^(?:1313555\d{4}|131655500\d{2})$/;

/** @param digits with country code, with or without a plus */
export function isAssistantNumber(digits: string): boolean {
  return assistantNumber.test(digits.replace(/^\+/, ''));
}

function identityIn(value: unknown): LeadIdentity[] {
  const jid = readJid(value);
  return 'identity' in jid ? [jid.identity] : [];
}

// Two writings of one number are one person.
function matchKey({ kind, value }: LeadIdentity): string {
  return `${kind}:${kind === 'PHONE' ? matchKeyOfNumber(value) : value}`;
}

function distinct(identities: readonly LeadIdentity[]): LeadIdentity[] {
  const seen = new Map<string, LeadIdentity>();
  for (const identity of identities) {
    const key = `${identity.kind}:${identity.value}`;
    if (!seen.has(key)) seen.set(key, identity);
  }
  return [...seen.values()];
}

function ofKind(identities: readonly LeadIdentity[], kind: LeadIdentity['kind']): LeadIdentity[] {
  return identities.filter((identity) => identity.kind === kind);
}

/** The number of the line itself, by one of its own jids: digits with country code; undefined where none is a number. */
export function ownNumberOf(own: readonly unknown[]): string | undefined {
  return own.flatMap(identityIn).find(({ kind }) => kind === 'PHONE')?.value;
}

const numberJid = /^(\d{5,20})(?:[:_]\d+)*(?:@(?:s\.whatsapp\.net|c\.us|hosted))?$/;

/** The digits of a jid that is a number; undefined for groups, hidden numbers and all else. */
export function numberOfJid(value: string): string | undefined {
  return numberJid.exec(value)?.[1];
}
