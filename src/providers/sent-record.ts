// Judges whether a message whose answer was lost is among the sent messages that a gateway without keys lists. Each driver reads its
// gateway's list.

import { gatewayNameOf, type FoundSend, type GatewayEndpoint, type LostSend } from './chat-gateway.js';

export interface SentRecord {
  id: string;
  /** Unix seconds, by the gateway's clock. */
  sentAt: number;
  /** Empty where the network hides the number. */
  numbers: string[];
  /** Undefined where it is of a kind that we do not send, or cannot be read. */
  content: Content | undefined;
}

export interface Content {
  kind: string;
  words: string;
}

/** A page of the list, the newest records first. */
export interface SentPage {
  records: SentRecord[];
  /** True if the page also has records that cannot be read. */
  hasUnreadable: boolean;
  /** Nothing older is asked for. */
  isLast: boolean;
}

export interface SentSearch<NoPage extends string> {
  endpoint: GatewayEndpoint;
  lost: LostSend;
  maxPages: number;
  /** Reads the records from a time on; `index` is the page's number, from 0. Any other result ends the search. */
  readPage: (fromSeconds: number, index: number) => Promise<SentPage | FoundSend | NoPage>;
  mayBe: (record: SentRecord) => boolean;
}

/** The tolerated error of the gateway's clock. */
const clockSkewSeconds = 60;

/** Reads the list to its end, and judges the records that may be the message. */
export async function findAmongSent<NoPage extends string>({
  endpoint,
  lost: { since, listOthers },
  maxPages,
  readPage,
  mayBe,
}: SentSearch<NoPage>): Promise<FoundSend | NoPage> {
  const sinceSeconds = Math.floor(since.getTime() / 1_000);
  const candidates: SentRecord[] = [];
  let hasUnreadable = false;
  for (let index = 0; index < maxPages; index += 1) {
    const page = await readPage(sinceSeconds - clockSkewSeconds, index);
    if (typeof page === 'string' || 'outcome' in page) return page;
    candidates.push(...page.records.filter(mayBe));
    hasUnreadable ||= page.hasUnreadable;
    if (!page.isLast) continue;
    // The same words may stand in another message of ours, which has its id already.
    const others = candidates.length === 0 ? new Set() : await listOthers(candidates.map(({ id }) => id));
    const unclaimed = candidates.filter(({ id }) => !others.has(id));
    const verdict = judge(unclaimed, sinceSeconds, hasUnreadable);
    return typeof verdict === 'string' ? unclear(endpoint, verdict) : verdict;
  }
  return unclear(endpoint, 'its list of sent messages is too long to be read to its end');
}

/** @returns the result, or the reason why there is none */
function judge(candidates: readonly SentRecord[], sinceSeconds: number, hasUnreadable: boolean): FoundSend | string {
  const certain = candidates.filter((candidate) => doubtAbout(candidate, sinceSeconds) === undefined);
  // The same words may have been sent again by hand: the first is ours.
  const [first] = certain.toSorted((one, other) => one.sentAt - other.sentAt);
  if (first !== undefined) return { outcome: 'sent', externalId: first.id };
  const [doubtful] = candidates;
  if (doubtful !== undefined) return doubtAbout(doubtful, sinceSeconds) ?? 'it gave no reason';
  return hasUnreadable ? 'its list of sent messages holds some that cannot be read' : { outcome: 'absent' };
}

function doubtAbout({ numbers, content, sentAt }: SentRecord, sinceSeconds: number): string | undefined {
  if (content === undefined) return 'it sent something of another kind at that time';
  if (numbers.length === 0) return 'it sent the same to a number that the network hides';
  return sentAt < sinceSeconds ? 'it sent the same to this number shortly before, by its own clock' : undefined;
}

/** Blanks at the ends and the writing of line breaks and accents may change on the way. */
export function comparable(words: string): string {
  return words.replaceAll('\r\n', '\n').normalize('NFC').trim();
}

export function unclear(endpoint: GatewayEndpoint, reason: string): { outcome: 'unknown'; detail: string } {
  return {
    outcome: 'unknown',
    detail: `${gatewayNameOf(endpoint)} does not show whether the message was sent: ${reason}`,
  };
}
