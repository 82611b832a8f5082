// Finds the part of a message that says something, by the network's own names, and lists the known kinds. Wrappers (disappearing, view
// once, a document's caption) are opened here. The dialects read the content of the part.

import { isPlainObject } from '../../platform/input/input.js';
import { maxBodyLength } from '../reported.schema.js';
import { networkKinds } from './kinds.js';
import { cardsText, eventText, orderText, placeText, pollText, productText } from './composed-text.js';
import { objectAt, readLabel, readNumber, valueAt } from './written-value.js';

/** The part of a message that says something, such as `imageMessage` with its content. */
export interface MessagePart {
  name: string;
  value: unknown;
  path: string;
  /** The innermost message around the part. */
  message: Record<string, unknown>;
}

export interface KnownKind {
  /** The message's type in this service. */
  type: string;
  /** The part is a file, whose words are the caption. */
  isMedia?: true;
  /** The fields that may hold the words, the best first. */
  fields?: readonly string[][];
  /** Composes a text where nobody wrote words. */
  textOf?: (value: unknown) => string | undefined;
}

const media = (type: string): KnownKind => ({ type, isMedia: true, fields: [['caption']] });
const reply = (...fields: string[][]): KnownKind => ({ type: 'text', fields });
const placeKind: KnownKind = { type: 'location', textOf: placeText };
const paymentNote = ['noteMessage', 'extendedTextMessage', 'text'];
const pollKind: KnownKind = { type: 'pollCreationMessage', textOf: pollText };

/** Maps, because a kind may be named like a property of every object. */
export const knownKinds: ReadonlyMap<string, KnownKind> = new Map([
  ['conversation', { type: 'text', fields: [[]] }],
  ['extendedTextMessage', { type: 'text', fields: [['text']] }],
  ['imageMessage', media('image')],
  ['videoMessage', media('video')],
  ['ptvMessage', media('video')],
  ['audioMessage', media('audio')],
  ['documentMessage', media('document')],
  ['stickerMessage', media('sticker')],
  ['locationMessage', placeKind],
  ['liveLocationMessage', placeKind],
  ['contactMessage', { type: 'contact', textOf: (card) => cardsText([card]) }],
  ['contactsArrayMessage', { type: 'contact', textOf: (list) => cardsText(objectAt(list).contacts) }],
  ['buttonsResponseMessage', reply(['selectedDisplayText'], ['selectedButtonId'])],
  ['templateButtonReplyMessage', reply(['selectedDisplayText'], ['selectedId'])],
  ['listResponseMessage', reply(['title'], ['description'], ['singleSelectReply', 'selectedRowId'])],
  ['interactiveResponseMessage', reply(['body', 'text'])],
  ['pollCreationMessage', pollKind],
  ['pollCreationMessageV2', pollKind],
  ['pollCreationMessageV3', pollKind],
  ['pollCreationMessageV5', pollKind],
  ['buttonsMessage', { type: 'buttonsMessage', fields: [['contentText'], ['text']] }],
  ['listMessage', { type: 'listMessage', fields: [['description'], ['title']] }],
  ['interactiveMessage', { type: 'interactiveMessage', fields: [['body', 'text']] }],
  [
    'templateMessage',
    {
      type: 'templateMessage',
      fields: [
        ['hydratedTemplate', 'hydratedContentText'],
        ['hydratedFourRowTemplate', 'hydratedContentText'],
        ['interactiveMessageTemplate', 'body', 'text'],
      ],
    },
  ],
  ['groupInviteMessage', { type: 'groupInviteMessage', fields: [['caption'], ['groupName']] }],
  ['eventMessage', { type: 'eventMessage', textOf: eventText }],
  ['productMessage', { type: 'productMessage', textOf: productText }],
  ['orderMessage', { type: 'orderMessage', textOf: orderText }],
  ['sendPaymentMessage', { type: 'sendPaymentMessage', fields: [paymentNote] }],
  ['requestPaymentMessage', { type: 'requestPaymentMessage', fields: [paymentNote] }],
  ['scheduledCallCreationMessage', { type: 'scheduledCallCreationMessage', fields: [['title']] }],
]);

/** Returns the words that stand in a part's own fields. */
export function writtenWords({ fields = [] }: KnownKind, value: unknown): string | undefined {
  return fields.map((field) => readLabel(valueAt(value, field), maxBodyLength)).find((words) => words !== undefined);
}

/** The network's own messages: an edit, a revocation, a setting. */
export const protocolKind = 'protocolMessage';
export const reactionKind = 'reactionMessage';

/** More wrappers than one message has. A part that lies deeper becomes a placeholder. */
const maxWrappers = 8;

// Names in `messageType` that say nothing where the message itself is empty.
const emptyTypes = new Set(['unknown', 'conversation', 'extendedTextMessage', protocolKind, reactionKind]);

/**
 * Returns the part that says something, out of its wrappers; undefined for a message without content.
 * @param path the message's path, for errors
 */
export function findPart(message: Record<string, unknown>, path: string): MessagePart | undefined {
  const inner = unwrap(message, path);
  const names = Object.keys(inner.message).filter((name) => {
    return networkKinds.get(name) !== 'context' && !isNothing(inner.message[name]);
  });
  const loud = names.filter((name) => networkKinds.get(name) !== 'quiet');
  const name =
    loud.find((word) => networkKinds.has(word)) ?? loud.find((word) => word.includes('Message')) ?? loud[0] ?? names[0];
  if (name === undefined) return undefined;
  return { name, value: inner.message[name], path: `${inner.path}.${name}`, message: inner.message };
}

/** Returns whether the name in `messageType` means that something was said, though the message itself does not show it. */
export function namesKind(messageType: string): boolean {
  return !emptyTypes.has(messageType) && networkKinds.get(messageType) !== 'context';
}

/** Returns the reason why a part is no speech; undefined where it may be speech. */
export function quietReason(name: string): string | undefined {
  return networkKinds.get(name) === 'quiet' ? `quiet: ${name}` : undefined;
}

/** Returns true for a message that was forwarded from another conversation, by the contexts beside its words. */
export function isForwarded(contexts: readonly unknown[]): true | undefined {
  const infos = contexts.map((context) => objectAt(context, 'contextInfo'));
  return infos.some((info) => info.isForwarded === true || (readNumber(info.forwardingScore) ?? 0) > 0) || undefined;
}

/** Returns whether a value is missing or empty text. An empty field hides no other field. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function unwrap(message: Record<string, unknown>, path: string): { message: Record<string, unknown>; path: string } {
  let opened = { message, path };
  for (let depth = 0; depth < maxWrappers; depth += 1) {
    const { message: outer } = opened;
    const wrapper = Object.keys(outer).find(
      (name) => networkKinds.get(name) === 'wrapper' && isPlainObject(valueAt(outer, [name, 'message'])),
    );
    if (wrapper !== undefined)
      opened = { message: objectAt(outer, wrapper, 'message'), path: `${opened.path}.${wrapper}.message` };
    // A tool in between may hand on the whole record for its message.
    else if (isPlainObject(outer.message)) opened = { message: outer.message, path: `${opened.path}.message` };
    else return opened;
  }
  return opened;
}
