// Which part of a message says something, and what is known of each kind. Wrappers (disappearing, view once, a document's
// caption) are opened here; what the part says is read in evolution-content.ts.

import { isPlainObject } from '../../../platform/input.js';
import { cardsText, placeText, pollText } from './evolution-composed-text.js';
import { objectAt, valueAt } from './evolution-value.js';

/** The part of a message that says something, as `imageMessage` with what it holds. */
export interface MessagePart {
  name: string;
  value: unknown;
  path: string;
  /** The innermost message it stands in. */
  message: Record<string, unknown>;
}

export interface KnownKind {
  /** The type it has with us. */
  type: string;
  /** A file: its words are the caption. */
  isMedia?: true;
  /** Where the words may stand, best first. */
  fields?: readonly string[][];
  /** Puts words together where nobody wrote any. */
  textOf?: (value: unknown) => string | undefined;
  /** Where the id of the message it is about stands. */
  about?: readonly string[];
}

const media = (type: string): KnownKind => ({ type, isMedia: true, fields: [['caption']] });
const reply = (...fields: string[][]): KnownKind => ({ type: 'text', fields });
const place: KnownKind = { type: 'location', textOf: placeText };
const poll: KnownKind = { type: 'pollCreationMessage', textOf: pollText };

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
  ['locationMessage', place],
  ['liveLocationMessage', place],
  ['contactMessage', { type: 'contact', textOf: (card) => cardsText([card]) }],
  ['contactsArrayMessage', { type: 'contact', textOf: (list) => cardsText(objectAt(list).contacts) }],
  ['reactionMessage', { type: 'reaction', fields: [['text']], about: ['key', 'id'] }],
  ['buttonsResponseMessage', reply(['selectedDisplayText'], ['selectedButtonId'])],
  ['templateButtonReplyMessage', reply(['selectedDisplayText'], ['selectedId'])],
  ['listResponseMessage', reply(['title'], ['description'], ['singleSelectReply', 'selectedRowId'])],
  ['interactiveResponseMessage', reply(['body', 'text'])],
  ['pollCreationMessage', poll],
  ['pollCreationMessageV2', poll],
  ['pollCreationMessageV3', poll],
  ['pollCreationMessageV5', poll],
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
  ['eventMessage', { type: 'eventMessage', fields: [['name']] }],
  ['productMessage', { type: 'productMessage', fields: [['body'], ['product', 'title']] }],
  ['orderMessage', { type: 'orderMessage', fields: [['message'], ['orderTitle']] }],
]);

/** The network speaks to itself by it: an edit, a revocation, a setting. */
export const protocolKind = 'protocolMessage';

const wrappers = new Set([
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'deviceSentMessage',
  'associatedChildMessage',
  'lottieStickerMessage',
  'groupMentionedMessage',
  'botInvokeMessage',
  'botForwardedMessage',
  'questionMessage',
  'questionReplyMessage',
  'pollCreationMessageV4',
]);

/** More wrappers than one message has; what lies deeper is a placeholder. */
const maxWrappers = 8;

// What stands beside the part and says nothing by itself.
const silentFields = new Set([
  'messageContextInfo',
  'contextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'mediaUrl',
  'base64',
  'speechToText',
  'quoted',
]);

// Names in `messageType` that say nothing where the message itself is empty.
const emptyTypes = new Set(['unknown', 'conversation', 'extendedTextMessage', protocolKind, ...silentFields]);

/**
 * The part that says something, out of its wrappers; undefined where nothing was said.
 * @param path the message's, for errors
 */
export function findPart(message: Record<string, unknown>, path: string): MessagePart | undefined {
  const inner = unwrap(message, path);
  const names = Object.keys(inner.message).filter((name) => !silentFields.has(name) && !isNothing(inner.message[name]));
  const name =
    names.find((word) => knownKinds.has(word) || word === protocolKind) ??
    names.find((word) => word.includes('Message')) ??
    names[0];
  if (name === undefined) return undefined;
  return { name, value: inner.message[name], path: `${inner.path}.${name}`, message: inner.message };
}

/** Whether the name in `messageType` means that something was said, though the message itself does not show it. */
export function namesKind(messageType: string): boolean {
  return !emptyTypes.has(messageType);
}

/** What is missing, or empty text: an empty field hides no other. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function unwrap(message: Record<string, unknown>, path: string): { message: Record<string, unknown>; path: string } {
  let opened = { message, path };
  for (let depth = 0; depth < maxWrappers; depth += 1) {
    const { message: outer } = opened;
    const wrapper = Object.keys(outer).find(
      (name) => wrappers.has(name) && isPlainObject(valueAt(outer, [name, 'message'])),
    );
    if (wrapper === undefined) return opened;
    opened = { message: objectAt(outer, wrapper, 'message'), path: `${opened.path}.${wrapper}.message` };
  }
  return opened;
}
