// Owns the table of players: actions of leads and gateways beside texts, files, reactions and edits. A row says which steps they are.
// play.ts decides when the steps are reported, and whether an instance's protocol has them.

import type { Language } from './customer-phrases.js';
import { digitsOf } from './dressed-report.js';
import { FILE_PARTS, QUIET_EVENTS, QUIET_FIELDS, QUIET_PARTS, SPOKEN_PARTS, WRAPPERS } from './network-samples.js';
import {
  called,
  calledAnHourAgo,
  filledIn,
  fromAd,
  GROUP_WIRES,
  listAlbum,
  noticed,
  partStep,
  pressed,
  quietEvent,
  quietPart,
  quietWire,
  signal,
  UNDECRYPTED,
  type Step,
} from './player-steps.js';
import { PLAYER_WORDS } from './player-words.js';
import type { SeededRandom } from './seeded-random.js';

/** The result of a play in the product. */
type PlayedAs = 'speech' | 'choice' | 'call' | 'notice' | 'placeholder' | 'quiet' | 'lead';

/** The circumstances of a play. */
export interface Scene {
  readonly variant: string;
  readonly language: Language;
  readonly from: string;
  readonly random: SeededRandom;
  /** The address of the leads' files. */
  readonly filesUrl: string;
  /** The time in milliseconds since 1970. */
  readonly now: number;
}

export interface Player {
  readonly name: string;
  readonly meaning: string;
  readonly playedAs: PlayedAs;
  /** The variants; one is drawn when the caller names none. */
  readonly variants?: readonly string[];
  /** Only people who were not introduced play it. */
  readonly isForStrangers?: true;
  readonly stepsOf: (scene: Scene) => readonly Step[];
}

export const PLAYERS: readonly Player[] = [
  {
    name: 'button',
    meaning: 'One of our buttons is pressed.',
    playedAs: 'choice',
    stepsOf: ({ language }) => [pressed('visit', PLAYER_WORDS[language].button)],
  },
  {
    name: 'template-button',
    meaning: 'A button of a template is pressed.',
    playedAs: 'choice',
    stepsOf: ({ language }) => {
      const { button: title } = PLAYER_WORDS[language];
      return [
        {
          text: title,
          wire: {
            gateway: { choice: { kind: 'BUTTON', id: 'visit', title } },
            network: {
              templateButtonReplyMessage: { selectedId: 'visit', selectedDisplayText: title, selectedIndex: 0 },
            },
            cloud: { type: 'button', button: { payload: 'visit', text: title } },
          },
        },
      ];
    },
  },
  {
    name: 'list',
    meaning: 'A row of one of our lists is chosen.',
    playedAs: 'choice',
    stepsOf: ({ language }) => {
      const row = { id: 'weekend', ...PLAYER_WORDS[language].row };
      const { id: selectedRowId, title, description } = row;
      return [
        {
          text: title,
          wire: {
            gateway: { choice: { kind: 'LIST', ...row } },
            network: { listResponseMessage: { title, description, singleSelectReply: { selectedRowId } } },
            cloud: { type: 'interactive', interactive: { type: 'list_reply', list_reply: row } },
          },
        },
      ];
    },
  },
  {
    name: 'form',
    meaning: 'A form within the chat is filled in. Its token is not kept.',
    playedAs: 'choice',
    stepsOf: ({ language, random }) => [filledIn(PLAYER_WORDS[language], random)],
  },
  {
    name: 'poll-vote',
    meaning: 'Somebody votes in a poll. The vote is encrypted.',
    playedAs: 'quiet',
    stepsOf: () => [signal({ ...quietPart('pollUpdateMessage'), ...quietEvent('poll.vote') })],
  },
  {
    name: 'missed-call',
    meaning: 'The lead calls, and nobody answers.',
    playedAs: 'call',
    variants: ['voice', 'video'],
    stepsOf: ({ variant }) => [called('offer', variant === 'video'), called('timeout', variant === 'video')],
  },
  {
    name: 'answered-call',
    meaning: 'The lead calls, and is answered on the phone: three events of one call.',
    playedAs: 'call',
    variants: ['voice', 'video'],
    stepsOf: ({ variant }) =>
      (['offer', 'accept', 'terminate'] as const).map((state) => called(state, variant === 'video')),
  },
  {
    name: 'late-call',
    meaning: 'The record of a call of an hour ago, of which no event told.',
    playedAs: 'call',
    stepsOf: () => [calledAnHourAgo()],
  },
  {
    name: 'number-changed',
    meaning: 'Somebody takes another number, and writes from it later.',
    playedAs: 'notice',
    isForStrangers: true,
    stepsOf: ({ from, language, random }) => {
      const next = from.slice(0, -2) + String(13 + random.upTo(86));
      const body = `User changed from ${from} to ${next}`;
      return [
        {
          wire: {
            gateway: { type: 'notice', notice: { kind: 'NUMBER_CHANGED', newFrom: next } },
            cloud: { type: 'system', system: { body, type: 'user_changed_number', wa_id: next } },
            isSignal: true,
          },
        },
        { isLater: true, from: next, text: PLAYER_WORDS[language].moved },
      ];
    },
  },
  {
    name: 'security-code',
    meaning: 'The security code of somebody has changed.',
    playedAs: 'notice',
    stepsOf: ({ from }) => [
      noticed('IDENTITY_CHANGED', {
        type: 'system',
        system: {
          type: 'customer_identity_changed',
          body: 'The security code changed',
          customer: from,
          identity: digitsOf(from, 32),
        },
      }),
    ],
  },
  {
    name: 'call-permission',
    meaning: 'Somebody says until when it may be called.',
    playedAs: 'notice',
    stepsOf: ({ now }) => [
      noticed('CALL_PERMISSION', {
        type: 'interactive',
        interactive: {
          type: 'call_permission_reply',
          call_permission_reply: { response: 'accept', expiration_timestamp: Math.floor(now / 1_000) + 604_800 },
        },
      }),
    ],
  },
  {
    name: 'system-notice',
    meaning: 'The network says something else of a conversation.',
    playedAs: 'notice',
    stepsOf: () => [
      {
        text: 'This chat is with a business account',
        wire: {
          gateway: { type: 'notice', notice: { kind: 'OTHER' } },
          cloud: { type: 'system', system: { type: 'business_notice', body: 'This chat is with a business account' } },
          isSignal: true,
        },
      },
    ],
  },
  {
    name: 'group',
    meaning: 'Something happens in a group that the line is in.',
    playedAs: 'quiet',
    variants: ['message', 'call', 'participants'],
    stepsOf: ({ variant }) => [signal(GROUP_WIRES[variant] ?? {})],
  },
  {
    name: 'album',
    meaning: 'Three pictures at once. The network announces them by a header.',
    playedAs: 'speech',
    stepsOf: ({ language, random, filesUrl }) => listAlbum(PLAYER_WORDS[language].album, random, filesUrl),
  },
  {
    name: 'forwarded',
    meaning: 'A message comes from another conversation.',
    playedAs: 'speech',
    stepsOf: ({ language }) => {
      const { forwarded: text } = PLAYER_WORDS[language];
      return [
        {
          text,
          wire: {
            gateway: { forwarded: true },
            network: { extendedTextMessage: { text, contextInfo: { isForwarded: true, forwardingScore: 1 } } },
            cloud: { type: 'text', text: { body: text }, context: { forwarded: true } },
          },
        },
      ];
    },
  },
  {
    name: 'ciphertext',
    meaning: 'A message that cannot be decrypted yet. It comes again under its id, with its words.',
    playedAs: 'placeholder',
    // The network also masks what a linked device must not see.
    variants: ['waiting', 'masked'],
    stepsOf: ({ variant, language }) => [
      {
        wire: {
          gateway: { type: 'unknown' },
          ...(variant === 'masked' ? { network: { placeholderMessage: { type: 0 } } } : UNDECRYPTED),
          cloud: { type: 'unsupported', errors: [{ code: 131_060, title: 'This message is currently unavailable' }] },
          isPlaceholder: true,
        },
      },
      { isLater: true, hasSameId: true, text: PLAYER_WORDS[language].late },
    ],
  },
  {
    name: 'ad',
    meaning: 'Somebody taps an ad, a post or a product, and lands in a chat with us.',
    playedAs: 'speech',
    variants: ['ad', 'post', 'product', 'without-words'],
    isForStrangers: true,
    stepsOf: ({ variant, language, random }) => [fromAd(variant, language, random)],
  },
  {
    name: 'unknown-kind',
    meaning: 'A kind of message that no list names.',
    playedAs: 'placeholder',
    stepsOf: () => [
      {
        wire: {
          gateway: { type: 'hologram' },
          network: { hologramMessage: {} },
          cloud: { type: 'hologram', hologram: {} },
        },
      },
    ],
  },
  {
    name: 'stop-typed',
    meaning: 'Somebody types a word that opts out.',
    playedAs: 'speech',
    isForStrangers: true,
    stepsOf: ({ language }) => [{ text: PLAYER_WORDS[language].stop }],
  },
  {
    name: 'stop-chosen',
    meaning: 'The same word, as a button of ours: it opts nobody out.',
    playedAs: 'choice',
    stepsOf: ({ language }) => [pressed('stop', PLAYER_WORDS[language].stop)],
  },
  {
    name: 'stop-said',
    meaning: 'The word within a short sentence: its sender may want to stop.',
    playedAs: 'speech',
    stepsOf: ({ language }) => [{ text: PLAYER_WORDS[language].mayStop }],
  },
  {
    name: 'google-form',
    meaning: "A form of Google's is sent: a test, or a lead.",
    playedAs: 'lead',
    variants: ['test', 'lead'],
    isForStrangers: true,
    stepsOf: () => [signal({ form: 'google' })],
  },
  {
    name: 'meta-form',
    meaning: "A form of Meta's is sent: the test of its tool, or a lead. The answers are to be fetched.",
    playedAs: 'lead',
    variants: ['test', 'lead'],
    isForStrangers: true,
    stepsOf: () => [signal({ form: 'meta' })],
  },
  {
    name: 'part',
    meaning: 'A message that is any of the parts of the network.',
    playedAs: 'speech',
    variants: [...Object.keys(FILE_PARTS), ...Object.keys(SPOKEN_PARTS), ...WRAPPERS],
    stepsOf: ({ variant, random, filesUrl }) => [partStep(variant, random, filesUrl)],
  },
  {
    name: 'quiet',
    meaning: 'A signal of the app, of the account or of its groups.',
    playedAs: 'quiet',
    variants: [...QUIET_PARTS, ...QUIET_EVENTS, ...QUIET_FIELDS, 'request_welcome'],
    stepsOf: ({ variant }) => [signal(quietWire(variant))],
  },
];
