// The format of the demo's conversations: people, and the lines that they and the desk wrote, without times of their own.

/** The colleague of the desk who answers. */
export type Colleague = 'admin' | 'operator' | 'beatriz' | 'james';

export type DemoLanguage = 'en' | 'pt' | 'es';

export type DemoFile = 'image' | 'audio' | 'document';

/** A message's failure in a gateway's words. `answered`: the gateway refused at once; otherwise it reported the failure later. */
export interface Failure {
  code: string;
  detail: string;
  answered: boolean;
}

export interface LineDetails {
  file?: DemoFile;
  /** The index of the earlier line that this one quotes, from 0. */
  quotes?: number;
  /** The reaction of the other side. */
  reaction?: string;
  /** The text before its writer changed it. */
  before?: string;
  isDeleted?: boolean;
  /** Minutes since the line before; some minutes by default. */
  after?: number;
  /** The latest delivery status of our line; by default READ when the lead wrote afterwards, and else DELIVERED. */
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
  /** The age of the last line, in minutes. */
  endedMinutesAgo: number;
  /** The number of the lead's last lines that nobody has read. */
  unread?: number;
  /** The conversation runs through the disconnected instance in place of the default one. */
  isElsewhere?: true;
  note?: string;
  snoozedHours?: number;
  isClosed?: true;
  /** The reason that the lead gets no bulk messages any more. */
  optedOut?: string;
  lines: readonly Line[];
}

export const hour = 60;
export const day = 24 * hour;

/** A line that the lead wrote. */
export function lead(text: string | null, details: LineDetails = {}): Line {
  return { by: 'lead', text, ...details };
}

/** A line that the desk wrote. */
export function us(text: string | null, details: LineDetails = {}): Line {
  return { by: 'us', text, ...details };
}

/** Failures in the words of the gateways. */
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
