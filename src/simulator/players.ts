// Owns the players: what leads and gateways do beside texts, files, reactions and edits, each in the form of every protocol that has one.
// A player is a row of one table. When its steps are reported, and whether a dress has them, is decided in play.ts.

import type { Language } from './customer-phrases.js';
import { digitsOf, ownNumberOf } from './dressed-report.js';
import type { LeadMessage } from './message.schema.js';
import { FILE_PARTS, QUIET_EVENTS, QUIET_FIELDS, QUIET_PARTS, SPOKEN_PARTS, WRAPPERS } from './network-samples.js';
import { jidOf } from './network-message.js';
import { PLAYER_WORDS } from './player-words.js';
import type { SeededRandom } from './seeded-random.js';
import { chatIdOf, serializedIdOf } from './waha-message.js';
import type { Wire } from './wire.js';

/** What the product makes of a play. */
type PlayedAs = 'speech' | 'choice' | 'call' | 'notice' | 'placeholder' | 'quiet' | 'lead';

/** Where and by whom something is played. */
export interface Scene {
  readonly variant: string;
  readonly language: Language;
  readonly from: string;
  readonly random: SeededRandom;
  /** Where the files of leads are. */
  readonly filesUrl: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** One thing that happens. */
export interface Step extends Pick<LeadMessage, 'text' | 'media'> {
  /** After the step before it, by the knob `delayMs` of the play. */
  readonly isLater?: true;
  /** How long ago it happened, in milliseconds. */
  readonly agoMs?: number;
  /** Another number of the same person. */
  readonly from?: string;
  /** Under the id of the step before it. */
  readonly hasSameId?: true;
  /** Left out where the dress has no form of it; any other step makes the dress unfit for the play. */
  readonly isOptional?: true;
  readonly wire?: Wire;
}

export interface Player {
  readonly name: string;
  readonly meaning: string;
  readonly playedAs: PlayedAs;
  /** One is drawn where none is asked for. */
  readonly variants?: readonly string[];
  /** Played by people who were not introduced. */
  readonly isForStrangers?: true;
  readonly stepsOf: (scene: Scene) => readonly Step[];
}

const HOUR_MS = 3_600_000;
const GROUP = '120363020000000013@g.us';
const ADS = ['120239177205810192', '120239177205810193', '120239177205810194'] as const;
const PICTURES_OF_AN_ALBUM = 3;

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
    stepsOf: ({ language, random }) => {
      const { form: answers, sent: title } = PLAYER_WORDS[language];
      const json = JSON.stringify({ ...answers, flow_token: hexOf(random, 24) });
      return [
        {
          wire: {
            gateway: { choice: { kind: 'FLOW', id: 'booking', title, answers: JSON.parse(json) as object } },
            network: {
              interactiveResponseMessage: {
                body: { text: title },
                nativeFlowResponseMessage: { name: 'flow', paramsJson: json, version: 3 },
              },
            },
            cloud: {
              type: 'interactive',
              interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: title, response_json: json } },
            },
          },
        },
      ];
    },
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
    stepsOf: () => {
      const { wire } = called('terminate', false);
      const network = {
        callLogMesssage: { isVideo: false, callOutcome: 'MISSED', durationSecs: 0, callType: 'REGULAR' },
      };
      const { evolution: _, waha: __, isSignal: ___, ...told } = wire ?? {};
      return [{ agoMs: HOUR_MS, wire: { ...told, network } }];
    },
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
    stepsOf: ({ language, random, filesUrl }) => [
      {
        isOptional: true,
        wire: {
          network: { albumMessage: { expectedImageCount: PICTURES_OF_AN_ALBUM, expectedVideoCount: 0 } },
          isSignal: true,
        },
      },
      ...Array.from({ length: PICTURES_OF_AN_ALBUM }, (_, index): Step => {
        const picture = fileAt(filesUrl, hexOf(random, 8), 'image/png');
        return {
          media: index === 0 ? { ...picture, caption: PLAYER_WORDS[language].album } : picture,
          wire: { gateway: {}, cloud: (own) => own, network: (own) => ({ associatedChildMessage: { message: own } }) },
        };
      }),
    ],
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
    stepsOf: ({ variant, random, filesUrl }) => [
      partStep(variant, fileAt(filesUrl, hexOf(random, 8), FILE_PARTS[variant])),
    ],
  },
  {
    name: 'quiet',
    meaning: 'A signal of the app, of the account or of its groups.',
    playedAs: 'quiet',
    variants: [...QUIET_PARTS, ...QUIET_EVENTS, ...QUIET_FIELDS, 'request_welcome'],
    stepsOf: ({ variant }) => [signal(quietWire(variant))],
  },
];

const UNDECRYPTED: Wire = {
  network: {},
  record: { messageStubType: 2, messageStubParameters: ['Message absent from node'] },
  waha: (row) => ({
    event: 'message.waiting',
    payload: {
      id: serializedIdOf(row),
      timestamp: Math.floor(row.at / 1_000),
      from: chatIdOf(row),
      fromMe: false,
      source: 'app',
      body: '',
      hasMedia: false,
      _data: { type: 'ciphertext' },
    },
  }),
};

const GROUP_WIRES: Readonly<Record<string, Wire>> = {
  message: {
    evolution: ({ id, number, at, name }) => ({
      event: 'messages.upsert',
      data: {
        key: { remoteJid: GROUP, fromMe: false, id, participant: jidOf(number) },
        pushName: name,
        message: { conversation: 'Hi all' },
        messageType: 'conversation',
        messageTimestamp: Math.floor(at / 1_000),
      },
    }),
    waha: ({ id, number, at }) => ({
      event: 'message.any',
      payload: {
        id: `false_${GROUP}_${id}_${number}@c.us`,
        timestamp: Math.floor(at / 1_000),
        from: GROUP,
        fromMe: false,
        participant: `${number}@c.us`,
        body: 'Hi all',
        hasMedia: false,
      },
    }),
    cloud: { type: 'text', text: { body: 'Hi all' }, group_id: digitsOf(GROUP, 20) },
  },
  call: {
    evolution: ({ id, number, at }) => ({
      event: 'call',
      data: {
        id,
        from: jidOf(number),
        chatId: GROUP,
        groupJid: GROUP,
        isGroup: true,
        isVideo: false,
        status: 'offer',
        date: isoOf(at),
      },
    }),
    waha: ({ id, number, at }) => ({
      event: 'call.received',
      payload: { id, from: `${number}@c.us`, timestamp: Math.floor(at / 1_000), isVideo: false, isGroup: true },
    }),
  },
  participants: {
    evolution: ({ number }) => ({
      event: 'group-participants.update',
      data: { id: GROUP, participants: [jidOf(number)], action: 'add' },
    }),
    ...quietEvent('group.v2.participants'),
    ...quietField('group_participants_update'),
  },
};

function signal(wire: Wire): Step {
  return { wire: { ...wire, isSignal: true } };
}

function pressed(id: string, title: string): Step {
  return {
    text: title,
    wire: {
      gateway: { choice: { kind: 'BUTTON', id, title } },
      network: { buttonsResponseMessage: { selectedButtonId: id, selectedDisplayText: title, type: 1 } },
      cloud: { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id, title } } },
    },
  };
}

const CALL_WORDS = { offer: 'received', timeout: 'rejected', accept: 'accepted', terminate: 'rejected' } as const;

/** An event of a call: all events of one call have one id. */
function called(status: keyof typeof CALL_WORDS, isVideo: boolean): Step {
  const isFirst = status === 'offer';
  return {
    ...(isFirst ? {} : { hasSameId: true as const, isLater: true as const }),
    wire: {
      gateway: ({ messageId: callId }) => ({ type: 'call', callId, video: isVideo }),
      evolution: ({ id, number, at }) => ({
        event: 'call',
        data: {
          id,
          from: jidOf(number),
          chatId: jidOf(number),
          date: isoOf(at),
          status,
          isVideo,
          isGroup: false,
          offline: false,
        },
      }),
      waha: (row) => ({
        event: `call.${CALL_WORDS[status]}`,
        payload: { id: row.id, from: chatIdOf(row), timestamp: Math.floor(row.at / 1_000), isVideo, isGroup: false },
      }),
      cloud: {
        event: status === 'terminate' || status === 'timeout' ? 'terminate' : 'connect',
        direction: 'USER_INITIATED',
      },
      cloudField: 'calls',
      isSignal: true,
    },
  };
}

function noticed(kind: string, cloud: Record<string, unknown>): Step {
  return signal({ gateway: { type: 'notice', notice: { kind } }, cloud });
}

function fromAd(variant: string, language: Language, random: SeededRandom): Step {
  const { ad, interest } = PLAYER_WORDS[language];
  const sourceId = random.pick(ADS);
  const clickId = `Aff${hexOf(random, 40)}`;
  const text = variant === 'without-words' ? undefined : interest;
  const sourceType = variant === 'without-words' ? 'ad' : variant;
  const sourceUrl = `https://fb.example/${sourceId.slice(-6)}`;
  const card = { title: ad.headline, body: ad.body, sourceType, sourceId, sourceUrl, ctwaClid: clickId, mediaType: 1 };
  const isAd = sourceType === 'ad';
  const way = isAd ? { conversionSource: 'FB_Ads', entryPointConversionSource: 'ctwa_ad' } : {};
  const words = text === undefined ? {} : { type: 'text', text: { body: text } };
  const referral = {
    source_url: sourceUrl,
    source_type: sourceType,
    source_id: sourceId,
    headline: ad.headline,
    body: ad.body,
  };
  return {
    ...(text === undefined ? {} : { text }),
    wire: {
      gateway: { referral: { kind: sourceType, sourceId, sourceUrl, ...ad, clickId } },
      network: { extendedTextMessage: { text: text ?? '', contextInfo: { externalAdReply: card, ...way } } },
      cloud:
        variant === 'product'
          ? {
              ...words,
              context: { referred_product: { catalog_id: '194836987003835', product_retailer_id: sourceId } },
            }
          : {
              type: 'text',
              text: { body: text ?? '' },
              referral: { ...referral, media_type: 'image', image_url: sourceUrl, ctwa_clid: clickId },
            },
    },
  };
}

function partStep(name: string, media: Step['media']): Step {
  if (name in FILE_PARTS) return { media, wire: { network: (own) => ({ [name]: Object.values(own)[0] }) } };
  if (name in SPOKEN_PARTS) {
    const value = SPOKEN_PARTS[name];
    return { ...(typeof value === 'string' ? { text: value } : {}), wire: { network: { [name]: value } } };
  }
  return { text: 'Olá!', wire: { network: (own) => ({ [name]: { message: own } }) } };
}

function quietWire(name: string): Wire {
  if (QUIET_PARTS.some((part) => part === name)) return quietPart(name);
  if (QUIET_EVENTS.some((event) => event === name)) return quietEvent(name);
  return name === 'request_welcome' ? { cloud: { type: name } } : quietField(name);
}

function quietPart(name: string): Wire {
  return {
    network: {
      [name]: { key: { remoteJid: jidOf(ownNumberOf(name)), fromMe: true, id: digitsOf(name, 20).toUpperCase() } },
    },
  };
}

function quietEvent(event: string): Wire {
  return {
    waha: (row) => ({ event, payload: { id: row.id, chatId: chatIdOf(row), timestamp: Math.floor(row.at / 1_000) } }),
  };
}

function quietField(cloudField: string): Wire {
  return { cloud: { event: 'UPDATED' }, cloudField };
}

/** A file that the simulator serves: another one for each id. @param mimeType of a picture by default */
function fileAt(filesUrl: string, id: string, mimeType = 'image/png'): NonNullable<Step['media']> {
  const ending = { 'audio/wav': 'wav', 'application/pdf': 'pdf' }[mimeType] ?? 'png';
  return { url: `${filesUrl}/files/${id}.${ending}`, mimeType, fileName: `${id}.${ending}` };
}

function hexOf(random: SeededRandom, length: number): string {
  return random.text(length, '0123456789abcdef');
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
