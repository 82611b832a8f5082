// The words on each code for those who meet it. The guide of errors is written from them, and the OpenAPI document says when to repeat.

import type { ErrorCode } from './errors.js';

export interface ErrorExplanation {
  /** The sentences that say what the code means. */
  meaning: string;
  why: string;
  action: string;
  /** Whether and when to repeat the call: it follows the words "Repeat:". */
  repeat: string;
}

/** Markdown, with links that start at the folder of the guides. */
export const errorExplanations: Record<ErrorCode, ErrorExplanation> = {
  BAD_REQUEST: {
    meaning: 'The request could not be read. With the status 405 the path takes other methods, which `Allow` lists.',
    why: "The body is not JSON, is not UTF-8 or nests deeper than 32 levels, or `grantType` is unknown. A frequent cause is a body in a shell's double quotes, where the shell takes the quotes of the JSON away.",
    action: 'Correct the request; the same one fails again.',
    repeat: 'no',
  },
  UNAUTHENTICATED: {
    meaning: 'There is no credential, or one that is wrong or no longer valid. `detail` says which.',
    why: 'The header `x-tenant-key` is missing, the key in it is not valid, or a Bearer token was sent where a key belongs. Or the Bearer token is missing, has expired or is not valid, and `WWW-Authenticate` says the same. A user who was deactivated gets this answer too.',
    action:
      'An ADMIN finds the key in the console under Settings. For a token, sign in again or refresh it. Too many wrong credentials from an address are `RATE_LIMITED`.',
    repeat: 'with a valid credential',
  },
  SIGNATURE_INVALID: {
    meaning: 'The signature of a webhook call is missing, or belongs to other bytes.',
    why: 'The secret is another one, or a proxy or a framework wrote the JSON again, which changes the bytes.',
    action:
      'Sign the body exactly as it is sent, with the [secret](integrate.md#sign-chat-webhooks) of this server or instance. The [journal](integrate.md#find-out-what-became-of-a-call) has the call, except on the paths of the Cloud API and of lead sources.',
    repeat: 'with the right signature',
  },
  GRANT_INVALID: {
    meaning: 'The identity provider refused the code or the refresh token at sign-in.',
    why: 'A code works once, and for a short time. A refresh token has ended, or was used before.',
    action: 'Sign in again.',
    repeat: 'with a new code',
  },
  FORBIDDEN: {
    meaning: 'The role does not permit this, or the identity has no active user here.',
    why: 'Some operations are for administrators alone, and an identity needs a user of this tenant.',
    action: 'An ADMIN can change the role or [add the user](operate-sign-in.md). The same call fails until then.',
    repeat: 'no',
  },
  NOT_FOUND: {
    meaning: 'There is no such path, or no such record in this tenant.',
    why: 'The id is wrong, or the record is gone. A record of another tenant looks the same.',
    action: 'Check the id and the credential.',
    repeat: 'no',
  },
  CONFLICT: {
    meaning: 'The call contradicts what is stored. `detail` says what.',
    why: 'A name is taken, a record has changed meanwhile, or an `idempotencyKey` was used for something else.',
    action: 'Read the record again and decide again.',
    repeat: 'after what is stored has changed, or under another key',
  },
  NOT_OFFERED: {
    meaning: 'The gateway of the instance has no such function. GraphQL only.',
    why: 'A reaction, for example, through a gateway that cannot react.',
    action: 'Another instance may offer it; this one does not.',
    repeat: 'no',
  },
  OPTED_OUT: {
    meaning: 'The lead has [opted out](consent.md#what-is-sent-and-what-is-not), and only replies are sent to it.',
    why: 'The person has written a word such as STOP, or a user has recorded the opt-out.',
    action: 'Leave the person out.',
    repeat: 'once the lead has opted in',
  },
  WINDOW_CLOSED: {
    meaning:
      'The [reply window](integrate-meta.md#the-reply-window) of the lead is closed: the network takes no free text now.',
    why: 'The last message of the lead is older than 24 hours.',
    action: 'Send a [channel template](integrate-meta.md#channel-templates), or wait until the lead writes.',
    repeat: 'with a channel template, or after the lead has written',
  },
  ERASED: {
    meaning:
      'The call of the journal was of a person who was [erased](operate-retention.md#calls-of-erased-people) since.',
    why: 'Nothing of its body is left, so it cannot run again.',
    action: 'Nothing can be done, and nothing has to be.',
    repeat: 'no',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is larger than its path takes: more than 256 KiB on most paths.',
    why: 'Some paths take more, and some less: [Limits](integrate-limits.md#sizes-of-bodies) lists all bounds.',
    action: 'Send it in parts: up to 500 messages or statuses go together. Make a file smaller.',
    repeat: 'in parts, or with a smaller file',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body has another type than this path takes.',
    why: 'The body is not `application/json`, or a file is not `text/csv`.',
    action: 'Set the header `Content-Type`.',
    repeat: 'with that type',
  },
  MISDIRECTED: {
    meaning: 'The service was called under a name that is not its own. Only `npm run dev` answers this.',
    why: 'It is called as `localhost`, by a loopback address, or under the host of `PUBLIC_URL`, whatever the port. Under other names it refuses everything but health checks: a page on the Internet could otherwise have its own name lead to your machine.',
    action: 'Set `PUBLIC_URL` to the address that you use.',
    repeat: 'under another name',
  },
  VALIDATION_FAILED: {
    meaning:
      'The request was read, and a field is wrong. `errors` names each one with its path and a sentence. GraphQL answers 200, or 400 for a wrong document.',
    why: 'An optional field of a lead that is empty counts as left out, and a text that is too long is cut. So what is named here has to be corrected. Where `chat` is missing, the sentence names a field of the body that seems to hold the number: `chat: is required; the body has phone`.',
    action:
      'Correct the fields. Rename a field that holds the number, or set up a [lead source](integrate-lead-sources.md), which maps fields.',
    repeat: 'with correct fields',
  },
  RATE_LIMITED: {
    meaning: 'A [limit](integrate-limits.md) is used up, and `RateLimit` and `RateLimit-Policy` say which.',
    why: 'Too many calls came in its window, or too many requests of the tenant wait for the database.',
    action: 'Wait for `Retry-After` seconds, not less, and send less at a time.',
    repeat: 'after `Retry-After` seconds',
  },
  INTERNAL: {
    meaning: 'A fault of Leadwire.',
    why: 'The log of the server has the cause under the `requestId`.',
    action: 'Give the `requestId` to the administrator if it goes on.',
    repeat: 'yes, after 2 s, 4 s, 8 s …',
  },
  UNAVAILABLE: {
    meaning: 'A dependency is down, or too much is waiting.',
    why: 'Nothing was done, or what was done is safe to repeat. What is not configured here is `UNAVAILABLE` too. GraphQL answers 503 with `Retry-After` where no data came and the error says when to repeat; otherwise 200.',
    action: 'Wait. `GET /health/ready` says when the service is ready.',
    repeat: 'yes, after `Retry-After` seconds, else as `INTERNAL`',
  },
};
