// Judges whether a message whose answer was lost is among the sent messages that a gateway without keys lists. Each driver reads its
// gateway's list.

import { gatewayNameOf, type FoundSend, type GatewayEndpoint } from './chat-gateway.js';

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

/** The tolerated error of the gateway's clock. */
export const clockSkewSeconds = 60;

/**
 * @param candidates records that may be the message
 * @returns the result, or the reason why there is none
 */
export function judge(
  candidates: readonly SentRecord[],
  sinceSeconds: number,
  hasUnreadable: boolean,
): FoundSend | string {
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
