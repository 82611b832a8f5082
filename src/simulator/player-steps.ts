// Owns the steps of the players: the form of each step in every protocol that has one. players.ts says which steps a player takes.

import type { Language } from './customer-phrases.js';
import { digitsOf, ownNumberOf } from './dressed-report.js';
import type { LeadMessage } from './message.schema.js';
import { FILE_PARTS, QUIET_EVENTS, QUIET_PARTS, SPOKEN_PARTS } from './network-samples.js';
import { jidOf } from './network-message.js';
import { PLAYER_WORDS, type PlayerWords } from './player-words.js';
import type { SeededRandom } from './seeded-random.js';
import { chatIdOf, serializedIdOf } from './waha-message.js';
import type { Wire } from './message-history.js';

/** A step of a play: a single event at the gateway. */
export interface Step extends Pick<LeadMessage, 'text' | 'media'> {
  /** The step follows the one before it after the play's `delayMs`. */
  readonly isLater?: true;
  /** The age of the event, in milliseconds. */
  readonly agoMs?: number;
  /** Another number of the same person. */
  readonly from?: string;
  /** The step has the id of the step before it. */
  readonly hasSameId?: true;
  /** The step is left out when the protocol has no form of it. Any other step makes such a protocol unfit for the play. */
  readonly isOptional?: true;
  readonly wire?: Wire;
}

const HOUR_MS = 3_600_000;
const GROUP = '120363020000000013@g.us';
const ADS = ['120239177205810192', '120239177205810193', '120239177205810194'] as const;
const PICTURES_OF_AN_ALBUM = 3;

export const UNDECRYPTED: Wire = {
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

export const GROUP_WIRES: Readonly<Record<string, Wire>> = {
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

export function signal(wire: Wire): Step {
  return { wire: { ...wire, isSignal: true } };
}

export function pressed(id: string, title: string): Step {
  return {
    text: title,
    wire: {
      gateway: { choice: { kind: 'BUTTON', id, title } },
      network: { buttonsResponseMessage: { selectedButtonId: id, selectedDisplayText: title, type: 1 } },
      cloud: { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id, title } } },
    },
  };
}

/** A filled-in form within the chat, with its token. */
export function filledIn({ form: answers, sent: title }: PlayerWords, random: SeededRandom): Step {
  const json = JSON.stringify({ ...answers, flow_token: hexOf(random, 24) });
  const nativeFlowResponseMessage = { name: 'flow', paramsJson: json, version: 3 };
  return {
    wire: {
      gateway: { choice: { kind: 'FLOW', id: 'booking', title, answers: JSON.parse(json) as object } },
      network: { interactiveResponseMessage: { body: { text: title }, nativeFlowResponseMessage } },
      cloud: {
        type: 'interactive',
        interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: title, response_json: json } },
      },
    },
  };
}

/** The network alone announces an album, by a header. */
export function listAlbum(caption: string, random: SeededRandom, filesUrl: string): Step[] {
  const albumMessage = { expectedImageCount: PICTURES_OF_AN_ALBUM, expectedVideoCount: 0 };
  const pictures = Array.from({ length: PICTURES_OF_AN_ALBUM }, (_, index): Step => {
    const picture = fileAt(filesUrl, hexOf(random, 8), 'image/png');
    return {
      media: index === 0 ? { ...picture, caption } : picture,
      wire: { gateway: {}, cloud: (own) => own, network: (own) => ({ associatedChildMessage: { message: own } }) },
    };
  });
  return [{ ...signal({ network: { albumMessage } }), isOptional: true }, ...pictures];
}

const CALL_WORDS = { offer: 'received', timeout: 'rejected', accept: 'accepted', terminate: 'rejected' } as const;

/** An event of a call: all events of one call have one id. */
export function called(status: keyof typeof CALL_WORDS, isVideo: boolean): Step {
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

/** The record of a call among the messages, as a history holds it. */
export function calledAnHourAgo(): Step {
  const { evolution: _, waha: __, isSignal: ___, ...told } = called('terminate', false).wire ?? {};
  const callLogMesssage = { isVideo: false, callOutcome: 'MISSED', durationSecs: 0, callType: 'REGULAR' };
  return { agoMs: HOUR_MS, wire: { ...told, network: { callLogMesssage } } };
}

export function noticed(kind: string, cloud: Record<string, unknown>): Step {
  return signal({ gateway: { type: 'notice', notice: { kind } }, cloud });
}

export function fromAd(variant: string, language: Language, random: SeededRandom): Step {
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

export function partStep(name: string, random: SeededRandom, filesUrl: string): Step {
  const media = fileAt(filesUrl, hexOf(random, 8), FILE_PARTS[name]);
  if (name in FILE_PARTS) return { media, wire: { network: (own) => ({ [name]: Object.values(own)[0] }) } };
  if (name in SPOKEN_PARTS) {
    const value = SPOKEN_PARTS[name];
    return { ...(typeof value === 'string' ? { text: value } : {}), wire: { network: { [name]: value } } };
  }
  return { text: 'Olá!', wire: { network: (own) => ({ [name]: { message: own } }) } };
}

export function quietWire(name: string): Wire {
  if (QUIET_PARTS.some((part) => part === name)) return quietPart(name);
  if (QUIET_EVENTS.some((event) => event === name)) return quietEvent(name);
  return name === 'request_welcome' ? { cloud: { type: name } } : quietField(name);
}

export function quietPart(name: string): Wire {
  return {
    network: {
      [name]: { key: { remoteJid: jidOf(ownNumberOf(name)), fromMe: true, id: digitsOf(name, 20).toUpperCase() } },
    },
  };
}

export function quietEvent(event: string): Wire {
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

export function hexOf(random: SeededRandom, length: number): string {
  return random.text(length, '0123456789abcdef');
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
