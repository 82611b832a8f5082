// The provider `cloud`: Meta's Cloud API. It honours no keys and does not show afterwards what was sent. Instances are
// connected in Meta's own tools, so here their state is only read.

import { z } from 'zod';
import { externalId } from '../../platform/input/input.js';
import {
  captionOf,
  contentProblem,
  mediaKindOf,
  permanent,
  type ChatGateway,
  type FileUpload,
  type GatewayEndpoint,
  type InstanceResult,
  type MediaSource,
  type NetworkTemplateRecord,
  type OutgoingFile,
  type OutgoingMedia,
  type OutgoingMessage,
  type OutgoingReaction,
  type PermanentRefusal,
  type ReactionResult,
  type SendResult,
  type TemplateListResult,
} from '../chat-gateway.js';
import {
  acceptedWithoutId,
  adviceFor,
  isSuccess,
  instanceWithoutAnswer,
  instanceWithoutState,
  reasonByStatus,
  sendWithoutAnswer,
  temporary,
  withAdvice,
  type StatedReason,
} from '../answer.js';
import { GatewayHttp, type GatewayAnswer, type GatewayCall, type GatewayHttpOptions } from '../http.js';
import { shownNumberOf } from './contact.js';
import { MetaCourtesies } from './courtesy.js';
import { metaErrors } from './error.js';
import { isFileGone, MetaMedia, readFileAddress, type FoundFile } from './media.js';
import { maxListedTemplates, readTemplatePage, templateListBounds } from './template-list.js';
import { MetaUploads } from './upload.js';
import type { UrlMediaSource } from '../url-media-source.js';
import {
  readSendRefusal,
  readUploadRefusal,
  readInstanceRefusal,
  readTemplatesRefusal,
  passes,
  readReason,
} from './refusal.js';

/** An id of Meta's: of a number, or of a business account. */
export const metaId = /^\d{1,32}$/;
const metaVersion = /^v\d{1,3}\.\d{1,2}$/;

/** The version that is called where the instance's metadata names none. */
const defaultApiVersion = 'v24.0';

/** The time limit of an upload. The caller's signal ends it sooner. */
const uploadTimeoutMs = 60_000;

const acceptedSchema = z.object({
  messages: z.tuple([z.object({ id: externalId })], z.unknown()),
  contacts: z
    .array(z.object({ wa_id: z.string().regex(/^\d{5,20}$/) }))
    .optional()
    .catch(undefined),
});
const numberSchema = z.object({ id: z.string(), display_phone_number: z.unknown().optional() });

/** The path and credentials of an instance's calls. */
interface Target {
  path: string[];
  headers: Record<string, string>;
}

export interface MetaGatewayOptions extends GatewayHttpOptions {
  /** Fetches files from plain addresses. Left out, files of messages are not fetched through the network. */
  files?: UrlMediaSource | undefined;
}

export class MetaGateway implements ChatGateway {
  readonly honoursKeys = false;
  readonly defaultBaseUrl = 'https://graph.facebook.com';
  readonly fileTypes = {
    image: ['image/jpeg', 'image/png'],
    audio: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg; codecs=opus'],
    video: ['video/mp4', 'video/3gpp'],
  };
  readonly typingMarksRead = true;
  readonly media?: MediaSource;
  private readonly http: GatewayHttp;
  readonly courtesies: MetaCourtesies;
  private readonly uploads: MetaUploads;

  constructor(options: MetaGatewayOptions) {
    this.http = new GatewayHttp(options);
    const find = (endpoint: GatewayEndpoint, id: string, signal: AbortSignal) => this.findFile(endpoint, id, signal);
    if (options.files !== undefined) this.media = new MetaMedia({ files: options.files, find });
    this.uploads = new MetaUploads({ readRefusal: readUploadRefusal });
    this.courtesies = new MetaCourtesies((endpoint, body, limits) => this.post(endpoint, body, limits));
  }

  async send(endpoint: GatewayEndpoint, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
    const target = targetOf(endpoint);
    if ('outcome' in target) return target;
    const problem = message.template === undefined ? contentProblem(message) : undefined;
    if (problem !== undefined) return problem;
    const answer = await this.http.call(endpoint, {
      method: 'POST',
      path: [...target.path, 'messages'],
      headers: target.headers,
      body: toBody(message),
      isRepeatable: false,
      signal,
    });
    if (answer.outcome !== 'answered') return sendWithoutAnswer(answer);
    const result = toSendResult(answer, message);
    if (result.outcome === 'permanent' && message.media?.id !== undefined) this.uploads.forget(message.media.id);
    return result;
  }

  async uploadFile(endpoint: GatewayEndpoint, file: OutgoingFile, signal: AbortSignal): Promise<FileUpload> {
    const target = targetOf(endpoint);
    if ('outcome' in target) return target;
    return this.uploads.upload(endpoint, file, (stream) =>
      this.http.call(endpoint, {
        method: 'POST',
        path: [...target.path, 'media'],
        headers: target.headers,
        stream,
        timeoutMs: uploadTimeoutMs,
        isRepeatable: false,
        signal,
      }),
    );
  }

  react(endpoint: GatewayEndpoint, { to, externalId: messageId, emoji }: OutgoingReaction): Promise<ReactionResult> {
    // An empty emoji takes a reaction back.
    const reaction = { message_id: messageId, emoji: emoji ?? '' };
    return this.post(endpoint, { ...addressOf(to), type: 'reaction', reaction });
  }

  /** Checks whether the token reaches the number: there is nothing to scan. */
  connect(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    return this.readState(endpoint);
  }

  async readState(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    const target = targetOf(endpoint);
    if ('outcome' in target) return target;
    const answer = await this.http.call(endpoint, { method: 'GET', ...target, isRepeatable: true });
    if (answer.outcome !== 'answered') return instanceWithoutAnswer(answer);
    if (!isSuccess(answer)) return readInstanceRefusal(answer);
    const line = numberSchema.safeParse(answer.json).data;
    if (line === undefined || line.id !== endpoint.phoneNumberId) return instanceWithoutState(answer);
    return { outcome: 'answered', status: 'CONNECTED', number: shownNumberOf(line.display_phone_number) };
  }

  /** Reads the first 2,000 templates, page by page. */
  async listTemplates(endpoint: GatewayEndpoint, signal: AbortSignal): Promise<TemplateListResult> {
    const target = accountTargetOf(endpoint);
    if ('outcome' in target) return target;
    const templates: NetworkTemplateRecord[] = [];
    let after: string | undefined;
    do {
      const answer = await this.http.call(endpoint, {
        method: 'GET',
        path: target.path,
        query: { ...templateListBounds.query, ...(after === undefined ? {} : { after }) },
        headers: target.headers,
        maxAnswerBytes: templateListBounds.maxPageBytes,
        isRepeatable: true,
        signal,
      });
      if (answer.outcome === 'permanent') return answer;
      if (answer.outcome !== 'answered') return { ...answer, outcome: 'temporary' };
      if (!isSuccess(answer)) return readTemplatesRefusal(answer);
      const page = readTemplatePage(answer.json);
      if (page === undefined) return temporary(answer, listUnreadable(answer));
      templates.push(...page.templates);
      // A page that leads back to itself would never end.
      after = page.after === after || page.isEmpty ? undefined : page.after;
    } while (after !== undefined && templates.length < maxListedTemplates);
    return { outcome: 'answered', templates: templates.slice(0, maxListedTemplates) };
  }

  /** Posts a reaction or a notice, which gets no id of its own. */
  private async post(
    endpoint: GatewayEndpoint,
    body: object,
    limits: Pick<GatewayCall, 'timeoutMs' | 'signal'> = {},
  ): Promise<ReactionResult> {
    const target = targetOf(endpoint);
    if ('outcome' in target) return target;
    const call = { method: 'POST', path: [...target.path, 'messages'], headers: target.headers } as const;
    const answer = await this.http.call(endpoint, { ...call, body, isRepeatable: false, ...limits });
    if (answer.outcome !== 'answered') return sendWithoutAnswer(answer);
    return isSuccess(answer) ? { outcome: 'accepted' } : readSendRefusal(answer);
  }

  /** Asks for a file's address. */
  private async findFile(endpoint: GatewayEndpoint, id: string, signal: AbortSignal): Promise<FoundFile> {
    if (!metaId.test(id)) return { outcome: 'failed', detail: 'The network gave no id of the file.' };
    const target = targetBelow(endpoint, [id]);
    if ('outcome' in target) return { outcome: 'failed', detail: target.detail };
    const { phoneNumberId } = endpoint;
    const query = phoneNumberId == null ? {} : { query: { phone_number_id: phoneNumberId } };
    const answer = await this.http.call(endpoint, { method: 'GET', ...target, ...query, isRepeatable: true, signal });
    if (answer.outcome === 'permanent') return { outcome: 'failed', detail: answer.detail };
    if (answer.outcome !== 'answered') return { outcome: 'temporary', detail: `${answer.detail}.` };
    if (isSuccess(answer)) return readFileAddress(answer.json, target.headers);
    const reason = readReason(answer) ?? reasonByStatus(answer);
    if (isFileGone(answer.json)) return { outcome: 'expired', detail: 'The network keeps the file no more.' };
    const known = metaErrors.get(reason.code);
    const detail = withAdvice(reason.message, known?.advice ?? adviceFor(answer.status));
    // A new token, or a number that is free again, may help within hours.
    const mayPass = passes(answer, reason.code) || known?.kind === 'out';
    if (mayPass) return { outcome: 'temporary', detail, retryAfterSeconds: answer.retryAfterSeconds };
    return { outcome: 'failed', detail };
  }

  /** Always refuses with NOT_OFFERED. */
  async disconnect(): Promise<InstanceResult> {
    return permanent(
      'NOT_OFFERED',
      "The network keeps a number of the Cloud API connected. Take the number out of service in Meta's own tools.",
    );
  }
}

function targetOf(endpoint: GatewayEndpoint): Target | PermanentRefusal {
  const { phoneNumberId, instanceName } = endpoint;
  if (phoneNumberId == null || !metaId.test(phoneNumberId)) return numberMissing(instanceName);
  return targetBelow(endpoint, [phoneNumberId]);
}

function accountTargetOf(endpoint: GatewayEndpoint): Target | PermanentRefusal {
  const { wabaId, instanceName } = endpoint;
  if (wabaId == null || !metaId.test(wabaId)) return accountMissing(instanceName);
  return targetBelow(endpoint, [wabaId, 'message_templates']);
}

function targetBelow(
  { apiVersion, token, instanceName }: GatewayEndpoint,
  names: readonly string[],
): Target | PermanentRefusal {
  if (apiVersion != null && !metaVersion.test(apiVersion)) return versionInvalid(instanceName);
  if (token === null) return tokenMissing(instanceName);
  const path = [apiVersion ?? defaultApiVersion, ...names];
  return { path, headers: { Authorization: `Bearer ${token}` } };
}

function numberMissing(instanceName: string): PermanentRefusal {
  const detail = `The chat instance "${instanceName}" does not say which number it is. Enter Meta's id of the phone number as phoneNumberId in its metadata.`;
  return permanent('PHONE_NUMBER_ID_MISSING', detail);
}

function accountMissing(instanceName: string): PermanentRefusal {
  const detail = `The chat instance "${instanceName}" does not say which business account it belongs to. Enter Meta's id of the WhatsApp Business account as wabaId in its metadata.`;
  return permanent('WABA_ID_MISSING', detail);
}

function listUnreadable({ gateway }: GatewayAnswer): StatedReason {
  return { code: 'GATEWAY_ANSWER_INVALID', message: `${gateway} answered without a list of templates` };
}

function versionInvalid(instanceName: string): PermanentRefusal {
  const detail = `The apiVersion in the metadata of the chat instance "${instanceName}" is none. Write it as v24.0, or leave it out.`;
  return permanent('API_VERSION_INVALID', detail);
}

function tokenMissing(instanceName: string): PermanentRefusal {
  const detail = `The chat instance "${instanceName}" has no access token. Enter one as its token.`;
  return permanent('CREDENTIAL_MISSING', detail);
}

function toBody(message: OutgoingMessage): object {
  const { to, replyTo } = message;
  return {
    ...addressOf(to),
    ...(replyTo === null ? {} : { context: { message_id: replyTo } }),
    ...contentOf(message),
  };
}

function addressOf(to: string): object {
  return { messaging_product: 'whatsapp', recipient_type: 'individual', to };
}

function contentOf(message: OutgoingMessage): object {
  const { template, media, text, type } = message;
  if (template !== undefined) {
    const { name, language, components } = template;
    const filled = components === undefined ? {} : { components };
    return { type: 'template', template: { name, language: { code: language }, ...filled } };
  }
  if (media === null) return { type: 'text', text: { body: text } };
  const kind = mediaKindOf(type, media);
  return { type: kind, [kind]: fileOf(message, media, kind) };
}

/** The only type that the network plays as a voice note. */
const voiceNoteType = /^audio\/ogg\s*;\s*codecs\s*=\s*"?opus"?\s*$/i;

function fileOf(message: OutgoingMessage, media: OutgoingMedia, kind: string): object {
  const caption = captionOf(message, media);
  return {
    ...(media.id === undefined ? { link: media.url } : { id: media.id }),
    ...(caption === undefined ? {} : { caption }),
    // Without it, a recording is shown as a file of music.
    ...(kind === 'audio' && voiceNoteType.test(media.mimeType ?? '') ? { voice: true } : {}),
    // The network takes a name for documents only.
    ...(kind === 'document' && media.fileName != null ? { filename: media.fileName } : {}),
  };
}

function toSendResult(answer: GatewayAnswer, { to }: OutgoingMessage): SendResult {
  if (!isSuccess(answer)) return readSendRefusal(answer);
  const accepted = acceptedSchema.safeParse(answer.json).data;
  if (accepted === undefined) return acceptedWithoutId(answer, 'message id');
  const chat = accepted.contacts?.[0]?.wa_id;
  const [{ id }] = accepted.messages;
  return { outcome: 'accepted', externalId: id, ...(chat === undefined || chat === to ? {} : { chat }) };
}
