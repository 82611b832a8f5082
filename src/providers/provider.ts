// The description of a provider: everything by which the service tells one provider from another. Each folder exports one, and registry.ts
// lists them. The gateway's own interface is in chat-gateway.ts.

import type { z } from 'zod';
import type { RouteExample } from '../platform/http/route-description.js';
import type { ChatGateway } from './chat-gateway.js';
import type { GatewayHttpOptions } from './http.js';
import type { NamedReport, ReadReport, ReportedStatus } from './reported.js';
import type { UrlMediaSource } from './url-media-source.js';

export interface GatewayParts {
  http: GatewayHttpOptions;
  /** Fetches files from plain addresses. */
  files: UrlMediaSource;
}

/** The called path: the kind of its items, or the event that it names. */
export type ChatEndpoint = { kind: 'messages' | 'statuses' } | { event: string };

/** A chat call as it was read. */
export interface ReadReports {
  /** True where each item stands for itself. Otherwise an error in the one item refuses the call. */
  many: boolean;
  reports: NamedReport[];
}

/** The signature of a provider whose calls are signed with the webhook secret of their instance. */
export interface OwnSignature {
  /** The name of the header, as senders write it. */
  header: string;
  algorithm: 'sha256' | 'sha512';
  encoding: 'hex' | 'base64';
  /** The text in front of the digest. */
  prefix: string;
  /** The form of an accepted signature. */
  form: RegExp;
  /** The form in words, to follow "send". */
  shape: string;
  /** The name of the instance that a call is about. */
  instanceOf(body: unknown): string | undefined;
  /** Returns whether the header signs exactly these bytes. The comparison takes constant time. */
  matches(secret: string, given: string | undefined, body: Buffer): boolean;
}

/** The webhook calls that a provider's gateways send to the paths below `/webhooks/chat/gateway`. */
export interface GatewayWebhooks {
  /** Returns whether a call is one of this provider's. */
  takes(body: unknown, endpoint: ChatEndpoint): boolean;
  /**
   * Reads a call that it takes. Pure: the tenant, the instance and the lead are found later.
   * @throws AppError VALIDATION_FAILED where the call as a whole is wrong
   */
  read(body: unknown, endpoint: ChatEndpoint): ReadReports;
  /** Left out, calls are signed like those of the neutral protocol. */
  signature?: OwnSignature;
  /** Takes out of a call's text what the journal must not keep. */
  withoutSecrets?: (text: string) => string;
  /** Its calls in the OpenAPI document. */
  described?: { call: z.ZodType; eventCall: z.ZodType; example: RouteExample };
}

/** Reads the records of a history that the gateway keeps (`ChatGateway.history`). */
export interface HistoryReaders {
  /** Reads a record as a webhook call would have brought it. @param path where it stands, for errors */
  readRecord(record: unknown, path: string): ReadReport;
  /** Reads the delivery status that a record gives for a message of ours; undefined where it has none. */
  readStatus(record: unknown): Pick<ReportedStatus, 'status' | 'error'> | undefined;
}

export interface Provider {
  /** The name that chat instances have. */
  name: string;
  /** The name of its calls in the journal. */
  dialect: string;
  /** The meaning of `dialect`, as a sentence. */
  callMeaning: string;
  createGateway: (parts: GatewayParts) => ChatGateway;
  /** Left out, its calls come by another way. */
  webhooks?: GatewayWebhooks;
  history?: HistoryReaders;
  /** Why there is no history, and what to do, for a caller who asks for one. */
  withoutHistory?: string;
  /** The fields of an instance's metadata that the gateway reads: their form, and the problem of another value. */
  metadata?: { format: RegExp; problems: Readonly<Record<string, string>> };
  /** The fewest characters of an instance's webhook secret. */
  minWebhookSecretLength: number;
  /** True if the network takes free texts only for a day after the lead's last message. */
  hasReplyWindow?: true;
  /** True if its instances belong to business accounts, which reports name. */
  hasAccounts?: true;
}

/** The fewest characters of a secret that a program makes. Secrets that people choose may be shorter. */
export const madeSecretLength = 16;
