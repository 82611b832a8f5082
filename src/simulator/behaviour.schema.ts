// Owns the knobs of the simulator, with the bounds, default and meaning of each.
// message-intake.ts and report-plan.ts decide what is drawn from them.

import { z } from 'zod';

const HOUR_MS = 3_600_000;

const rate = (meaning: string) => z.number().min(0).max(1).describe(meaning);
const delayMs = (meaning: string, maxMs: number) => z.int().min(0).max(maxMs).describe(meaning);

/** Every knob, all required. Descriptions are the documentation: src/docs/simulator.md is generated from them. */
export const behaviourSchema = z.strictObject({
  latencyMs: delayMs('Milliseconds before `POST /messages` is judged and answered.', 120_000),
  latencyJitterMs: delayMs('Up to this many milliseconds more, drawn for each request.', 120_000),
  failRate: rate('Share of requests refused with `failStatus`; nothing is accepted.'),
  failFirstAttempts: z
    .int()
    .min(0)
    .max(100)
    .describe('The first attempts of each idempotency key that are refused with `failStatus`, whatever `failRate` is.'),
  failStatus: z.int().min(400).max(599).describe('HTTP status of such a refusal.'),
  failCode: z.string().min(1).max(64).describe('`error.code` of such a refusal.'),
  retryAfterSeconds: z
    .int()
    .min(0)
    .max(3_600)
    .describe('`Retry-After` of a refusal with status 429; 0 leaves the header out.'),
  hangRate: rate('Share of requests that are neither accepted nor answered: the connection stays open.'),
  dropAnswerRate: rate(
    'Share of messages accepted without an answer: the connection is cut. The same key sent again is answered.',
  ),
  fetchMedia: z
    .boolean()
    .describe(
      'Whether the file at `media.url` is fetched before a message is accepted: 100 MiB in 10 s at most. An address that gives none is refused with 400 `media_unreachable`.',
    ),
  earlyStatusRate: rate('Share of messages whose SENT and DELIVERED are reported before the request is answered.'),
  sentDelayMs: delayMs('Milliseconds from acceptance to SENT.', HOUR_MS),
  deliveredDelayMs: delayMs('Milliseconds from acceptance to DELIVERED, or to FAILED in its place.', HOUR_MS),
  readDelayMs: delayMs('Milliseconds from acceptance to READ.', HOUR_MS),
  deliveredRate: rate('Share of messages that are delivered; the others stay SENT.'),
  readRate: rate('Share of delivered messages that are read.'),
  failAfterAcceptRate: rate('Share of accepted messages that are reported SENT and then FAILED.'),
  failAfterAcceptCode: z.string().min(1).max(64).describe('`error.code` of that FAILED.'),
  withholdRate: rate(
    'Share of reports, inbound ones too, of which no webhook tells: what a lead wrote is in the lists of the gateway alone.',
  ),
  duplicateRate: rate('Share of reports, inbound ones too, that are delivered twice.'),
  reorderRate: rate(
    'Share of messages whose statuses are held back until the last one is due and then reported out of order.',
  ),
  reorderAs: z
    .enum(['shuffle', 'reverse'])
    .describe('The order they then take: a random one that is not the true one, or the last first.'),
  timestampFormat: z.enum(['unix', 'iso']).describe('`timestamp` in reports: whole unix seconds, or ISO 8601 UTC.'),
  replyRate: rate('Share of messages that did not fail to which the lead replies.'),
  replyDelayMs: delayMs('Milliseconds from acceptance to the reply.', HOUR_MS),
  replyTexts: z
    .array(z.string().min(1).max(4_096))
    .min(1)
    .max(50)
    .describe('What the lead may reply: one is drawn for each reply.'),
  quoteRate: rate('Share of replies that quote the message they answer.'),
  pictureRate: rate('Share of replies that are a picture, with the text as its caption.'),
  reactions: z.boolean().describe('Whether `POST /reactions` is offered; otherwise it is answered with 501.'),
  reactionRate: rate('Share of messages that did not fail to which the lead reacts, with one of `reactionEmojis`.'),
  reactionEmojis: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(50)
    .describe('What the lead may react with: one is drawn for each reaction.'),
  editRate: rate('Share of replies that the lead edits, to another of `replyTexts`.'),
  deleteRate: rate('Share of replies that the lead deletes.'),
  changeDelayMs: delayMs(
    'Milliseconds from acceptance to a reaction, and from a reply to its edit or deletion.',
    HOUR_MS,
  ),
  webhookTimeoutMs: z
    .int()
    .min(50)
    .max(120_000)
    .describe('Milliseconds to wait for the answer to a webhook before it counts as failed.'),
  webhookMaxAttempts: z
    .int()
    .min(1)
    .max(20)
    .describe('Deliveries tried for one report when they meet 5xx, 429, a time-out or no connection.'),
  webhookBackoffMs: delayMs(
    'Milliseconds before the second try; each further wait is twice as long, and never below a `Retry-After`.',
    HOUR_MS,
  ),
  webhookBackoffMaxMs: delayMs('The longest such wait in milliseconds.', HOUR_MS),
  connectDelayMs: delayMs('Milliseconds an instance stays CONNECTING.', HOUR_MS),
  connectFailRate: rate('Share of connects that end in ERROR instead of CONNECTED.'),
  needsScan: z
    .boolean()
    .describe('Whether a connect waits until somebody scans: `POST /simulator/instances/{name}/scan`.'),
  specialNumbers: z.boolean().describe('Whether the special numbers and texts below take effect; off for load runs.'),
});

/** The simulator's behaviour: one value for each knob. */
export type SimulatorBehaviour = z.infer<typeof behaviourSchema>;

/** Some of the knobs: a change to a behaviour. An unknown knob is refused, so that a misspelt one is not lost in silence. */
export const behaviourChangeSchema = behaviourSchema.partial();

/** A lively demo in which nothing fails: SENT at 0.1 s, DELIVERED at 0.6 s, READ at 2 s, a reply to every second message. */
export const DEFAULT_BEHAVIOUR: Readonly<SimulatorBehaviour> = Object.freeze({
  latencyMs: 20,
  latencyJitterMs: 20,
  failRate: 0,
  failFirstAttempts: 0,
  failStatus: 503,
  failCode: 'simulated_failure',
  retryAfterSeconds: 1,
  hangRate: 0,
  dropAnswerRate: 0,
  fetchMedia: true,
  earlyStatusRate: 0,
  sentDelayMs: 100,
  deliveredDelayMs: 600,
  readDelayMs: 2_000,
  deliveredRate: 1,
  readRate: 1,
  failAfterAcceptRate: 0,
  failAfterAcceptCode: '131026',
  withholdRate: 0,
  duplicateRate: 0,
  reorderRate: 0,
  reorderAs: 'shuffle',
  timestampFormat: 'unix',
  replyRate: 0.5,
  replyDelayMs: 3_000,
  replyTexts: ['Hello!', 'Yes, please tell me more.', 'How much is it?', 'Can we talk tomorrow?', 'Thank you 👍'],
  quoteRate: 1,
  pictureRate: 0,
  reactions: true,
  reactionRate: 0,
  reactionEmojis: ['👍', '❤️', '😂', '🙏'],
  editRate: 0,
  deleteRate: 0,
  changeDelayMs: 2_000,
  webhookTimeoutMs: 10_000,
  webhookMaxAttempts: 8,
  webhookBackoffMs: 500,
  webhookBackoffMaxMs: 60_000,
  connectDelayMs: 1_500,
  connectFailRate: 0,
  needsScan: false,
  specialNumbers: true,
});
