// How the demo's conversations are written down: people, and what they and the desk wrote, without times of their own.

/** Who of the desk answers. */
export type Colleague = 'admin' | 'operator' | 'beatriz' | 'james';

export type DemoLanguage = 'en' | 'pt' | 'es';

export type DemoFile = 'image' | 'audio' | 'document';

/** Why a message did not arrive, in a gateway's words. `answered`: it refused at once; otherwise it reported so later. */
export interface Failure {
  code: string;
  detail: string;
  answered: boolean;
}

export interface LineDetails {
  file?: DemoFile;
  /** An earlier line that it quotes, counted from 0. */
  quotes?: number;
  /** What the other side reacted with. */
  reaction?: string;
  /** What it said before its writer changed it. */
  before?: string;
  isDeleted?: boolean;
  /** Minutes since the line before; otherwise some minutes. */
  after?: number;
  /** How far a line of ours has come; otherwise READ where the lead wrote afterwards, and else DELIVERED. */
  status?: 'SENT' | 'DELIVERED' | 'READ' | 'CANCELED';
  failure?: Failure;
}

export interface Line extends LineDetails {
  by: 'lead' | 'us';
  text: string | null;
}

export interface Person {
  /** Names the person in the demo; never shown. */
  key: string;
  /** Digits with country code, of a range that is set aside for stories. The simulator knows some endings as special numbers. */
  number: string;
  name: string;
  language: DemoLanguage;
  source: string;
  tags?: string[];
  fields?: Record<string, string | number | boolean>;
  assignee?: Colleague;
  /** How long ago the last line was written, in minutes. */
  endedMinutesAgo: number;
  /** How many of the lead's last lines nobody has read. */
  unread?: number;
  /** Through the instance that is disconnected, in place of the default one. */
  isElsewhere?: true;
  note?: string;
  snoozedHours?: number;
  isClosed?: true;
  /** Why the lead gets nothing bulk any more. */
  optedOut?: string;
  lines: readonly Line[];
}

export const hour = 60;
export const day = 24 * hour;

/** A line of the lead's. */
export function lead(text: string | null, details: LineDetails = {}): Line {
  return { by: 'lead', text, ...details };
}

/** A line of the desk's. */
export function us(text: string | null, details: LineDetails = {}): Line {
  return { by: 'us', text, ...details };
}

/** What gateways say, as they say it. */
export const failures = {
  undeliverable: { code: '131026', detail: 'Message undeliverable', answered: false },
  windowClosed: {
    code: '131047',
    detail: 'Re-engagement message: more than 24 hours have passed since the customer last replied to this number',
    answered: false,
  },
  marketingLimit: {
    code: '131049',
    detail: 'This message was not delivered to maintain healthy ecosystem engagement',
    answered: false,
  },
  mediaRefused: {
    code: '131053',
    detail: 'Media upload error: the file could not be downloaded from its address',
    answered: false,
  },
  notOnNetwork: { code: 'NUMBER_NOT_ON_NETWORK', detail: 'The number is not on the network', answered: true },
  unreachable: {
    code: 'GATEWAY_UNREACHABLE',
    detail: 'The gateway could not be reached: ECONNREFUSED',
    answered: true,
  },
} as const satisfies Record<string, Failure>;
