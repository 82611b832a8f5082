// Owns what Evolution API v2 answers: sends, reactions, receipts, its list of messages with its traps, files, and the life of an instance.
// message-intake.ts decides the outcome of a send, and evolution-call.ts makes the webhooks.

import { STATUS_CODES } from 'node:http';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { digitsOf, numberOf } from './dressed-report.js';
import { dressedRouter, isUnknownNumber, UNKNOWN_NUMBER, type DressedRoutesOptions } from './dressed-routes.js';
import { stateOf } from './evolution-call.js';
import { instanceIdOf, keyOf, makeListedRecord, makeRecord } from './evolution-record.js';
import * as schema from './evolution.schema.js';
import { GatewayError, type RenderError } from './gateway-error.js';
import { answerSend, describeMessage, type SendAttempt } from './gateway.routes.js';
import type { HistoryRow, MessageHistory } from './message-history.js';
import { instanceNameSchema, type OutgoingMessage } from './message.schema.js';
import { jidOf, messageOf } from './network-message.js';

/** The routes whose calls are on record. */
export const EVOLUTION_RECORDED_PATHS = /^\/(?:message\/\w+|chat\/(?:markMessageAsRead|sendPresence))\/[^/]+$/;

const PATHS = /^\/(?:message|chat|instance|webhook)\//;
const DEFAULT_PAGE_SIZE = 50;

export function evolutionRoutes(options: DressedRoutesOptions): RequestHandler {
  const routes = [instanceRoutes(options), sendRoutes(options), chatRoutes(options)];
  const router = dressedRouter(options, { keyHeader: 'apikey', render: renderEvolutionError }, routes);
  return (request, response, next) => (PATHS.test(request.path) ? router(request, response, next) : next());
}

function instanceRoutes({ instances, behaviours, reporter }: DressedRoutesOptions): Router {
  const router = Router();
  const get = (request: Request) => readInstance(request, { instances, reporter });

  router.post('/instance/create', (request, response) => {
    const { instanceName } = schema.createInstanceSchema.parse(request.body);
    reporter.wear(instanceName, 'evolution');
    if (!instances.create(instanceName))
      throw new GatewayError(403, 'name_taken', `This name "${instanceName}" is already in use.`);
    const instance = { instanceName, instanceId: instanceIdOf(instanceName), integration: 'WHATSAPP-BAILEYS' };
    const hash = digitsOf(`key of ${instanceName}`, 32).toUpperCase();
    response.status(201).json({ instance: { ...instance, status: 'close' }, hash, settings: {} });
  });
  router.get('/instance/connectionState/:instance', (request, response) => {
    const instanceName = get(request);
    response.json({ instance: { instanceName, state: stateOf(instances.get(instanceName).status) } });
  });
  router.get('/instance/connect/:instance', (request, response) => {
    const instanceName = get(request);
    const { status, qr: base64, pairingCode } = instances.connect(instanceName, behaviours.get(instanceName));
    if (base64 === undefined) response.json({ instance: { instanceName, state: stateOf(status) } });
    else response.json({ pairingCode, code: `simulator:${pairingCode}`, base64, count: 1 });
  });
  router.delete('/instance/logout/:instance', (request, response) => {
    const name = get(request);
    if (instances.get(name).status === 'DISCONNECTED')
      throw new GatewayError(400, 'not_connected', `The "${name}" instance is not connected`);
    instances.disconnect(name);
    response.json({ status: 'SUCCESS', error: false, response: { message: 'Instance logged out' } });
  });
  router.delete('/instance/delete/:instance', (request, response) => {
    instances.delete(get(request));
    response.json({ status: 'SUCCESS', error: false, response: { message: 'Instance deleted' } });
  });
  router.post('/webhook/set/:instance', (request, response) => {
    const name = get(request);
    const { webhook } = schema.setWebhookSchema.parse(request.body);
    const tenantKey = Object.entries(webhook.headers ?? {}).find(([key]) => key.toLowerCase() === 'x-tenant-key')?.[1];
    reporter.setTarget({ webhookUrl: webhook.url, ...(tenantKey === undefined ? {} : { tenantKey }) }, name);
    response.status(201).json({ enabled: webhook.enabled, url: webhook.url, instanceId: instanceIdOf(name) });
  });
  return router;
}

function sendRoutes(options: DressedRoutesOptions): Router {
  const { intake, history } = options;
  const router = Router();
  const numberBehind = (lid: string) => history.numberOf(lid);
  const send = (read: (body: unknown) => Omit<OutgoingMessage, 'instance'>): RequestHandler =>
    async function sendMessage(request, response) {
      const instance = readInstance(request, options);
      const attempt = response.locals.attempt as SendAttempt;
      const { to, ...content } = read(request.body);
      const message = { instance, to: numberOf(to, numberBehind), ...content };
      describeMessage(attempt, message);
      const answer = await intake.receive(undefined, message);
      response.status(201);
      answerSend(response, attempt, answer, (id) => recordOf(history, instance, id));
    };

  router.post(
    '/message/sendText/:instance',
    send((body) => {
      const { number: to, text, quoted } = schema.sendTextSchema.parse(body);
      return { to, type: 'text', text, replyTo: quoted?.key.id };
    }),
  );
  router.post(
    '/message/sendMedia/:instance',
    send((body) => {
      const {
        number: to,
        mediatype: type,
        media: url,
        mimetype: mimeType,
        fileName,
        caption,
        quoted,
      } = schema.sendMediaSchema.parse(body);
      return { to, type, media: { url, mimeType, fileName, caption }, replyTo: quoted?.key.id };
    }),
  );
  router.post(
    '/message/sendWhatsAppAudio/:instance',
    send((body) => {
      const { number: to, audio: url, quoted } = schema.sendAudioSchema.parse(body);
      return { to, type: 'audio', media: { url, mimeType: 'audio/ogg; codecs=opus' }, replyTo: quoted?.key.id };
    }),
  );
  router.post('/message/sendReaction/:instance', async (request, response) => {
    const instance = readInstance(request, options);
    const { key, reaction } = schema.sendReactionSchema.parse(request.body);
    const to = numberOf(key.remoteJid, numberBehind);
    const about = { messageId: key.id, emoji: reaction === '' ? null : reaction };
    const attempt = response.locals.attempt as SendAttempt;
    Object.assign(attempt, { instance, to, type: 'reaction', reaction: about });
    const row = await intake.receiveReaction({ instance, to, ...about });
    attempt.outcome = 'accepted';
    response.status(201).json(makeRecord(row));
  });
  return router;
}

function chatRoutes(options: DressedRoutesOptions): Router {
  const { intake, history, media, behaviours, timers } = options;
  const router = Router();
  const numberBehind = (lid: string) => history.numberOf(lid);

  router.post('/chat/findMessages/:instance', (request, response) => {
    const instance = readInstance(request, options);
    response.json({ messages: findMessages(history, instance, schema.findMessagesSchema.parse(request.body ?? {})) });
  });
  router.post('/chat/getBase64FromMediaMessage/:instance', async (request, response) => {
    const instance = readInstance(request, options);
    const { id } = schema.mediaMessageSchema.parse(request.body).message.key;
    const row = history.find(instance, id);
    if (row === undefined) throw new GatewayError(400, 'not_found', 'Message not found');
    if (row.media === undefined) throw new GatewayError(400, 'no_file', 'The message is not of the media type');
    const bytes = await media.read(row.media.url);
    const { mimeType: mimetype, fileName = `${id}.bin`, caption } = row.media;
    const size = { fileLength: String(bytes.length) };
    const [mediaType] = Object.keys(messageOf(row));
    const base64 = bytes.toString('base64');
    response.status(201).json({ mediaType, fileName, caption, size, mimetype, base64, buffer: null });
  });
  router.post('/chat/markMessageAsRead/:instance', (request, response) => {
    const instance = readInstance(request, options);
    const { readMessages } = schema.markReadSchema.parse(request.body);
    const [{ id, remoteJid = '' } = { id: '' }] = readMessages.slice(-1);
    const to = numberOf(remoteJid, numberBehind);
    const attempt = response.locals.attempt as SendAttempt;
    Object.assign(attempt, { instance, to, type: 'read', messageId: id });
    intake.refuseUnlessConnected(instance);
    attempt.outcome = 'accepted';
    response.status(201).json({ message: 'Read messages', read: 'success' });
  });
  router.post('/chat/sendPresence/:instance', async (request, response) => {
    const instance = readInstance(request, options);
    const { number, presence, delay } = schema.presenceSchema.parse(request.body);
    const attempt = response.locals.attempt as SendAttempt;
    Object.assign(attempt, { instance, to: numberOf(number, numberBehind), type: presence });
    intake.refuseUnlessConnected(instance);
    // Evolution answers after it has shown the presence for that time.
    await timers.wait(delay);
    attempt.outcome = 'accepted';
    response.status(201).json({ presence });
  });
  router.post('/chat/whatsappNumbers/:instance', (request, response) => {
    const instance = readInstance(request, options);
    const { numbers } = schema.numbersSchema.parse(request.body);
    intake.refuseUnlessConnected(instance);
    response.json(
      numbers.map((number) => {
        const to = numberOf(number, numberBehind);
        return { jid: jidOf(to), exists: !isUnknownNumber(behaviours, instance, to), number };
      }),
    );
  });
  return router;
}

type FindMessages = ReturnType<typeof schema.findMessagesSchema.parse>;

/** `offset` is the size of a page, the time counts with both ends only, and a `fromMe` that is false is no filter. */
function findMessages(history: MessageHistory, instance: string, { where, page, offset }: FindMessages): object {
  const { gte, lte } = where?.messageTimestamp ?? {};
  const hasSpan = Boolean(gte) && Boolean(lte);
  const [from, until] = [secondsOf(gte), secondsOf(lte)];
  const { id, remoteJid, fromMe } = where?.key ?? {};
  const listed = history
    .list({ instance, ...(fromMe === true ? { isFromMe: true } : {}) })
    .filter((row) => row.kind === 'message' || row.kind === 'reaction')
    .map((row) => ({ row, seconds: Math.floor((row.editedAt ?? row.at) / 1_000) }))
    .filter(({ row, seconds }) => {
      if (id && row.id !== id) return false;
      if (remoteJid && keyOf(row).remoteJid !== remoteJid) return false;
      return !hasSpan || (seconds >= from && seconds <= until);
    })
    .toSorted((one, other) => other.seconds - one.seconds);
  const size = offset || DEFAULT_PAGE_SIZE;
  const currentPage = page || 1;
  const records = listed
    .slice((currentPage - 1) * size, currentPage * size)
    .map(({ row }) => makeListedRecord(row, quotedBy(history, row)));
  return { total: listed.length, pages: Math.ceil(listed.length / size), currentPage, records };
}

function secondsOf(written = ''): number {
  return Math.floor(new Date(written).getTime() / 1_000);
}

function recordOf(history: MessageHistory, instance: string, id: string): object {
  const row = history.find(instance, id);
  // The row is missing only when 50,000 newer rows came before this answer.
  if (row === undefined) return { key: { id, fromMe: true }, status: 'PENDING' };
  return { ...makeRecord(row, quotedBy(history, row)), status: 'PENDING' };
}

function quotedBy(history: MessageHistory, { instance, replyTo }: HistoryRow): HistoryRow | undefined {
  return replyTo === undefined ? undefined : history.find(instance, replyTo);
}

function readInstance(
  request: Request,
  { instances, reporter }: Pick<DressedRoutesOptions, 'instances' | 'reporter'>,
): string {
  const name = instanceNameSchema.parse(request.params.instance);
  if (!instances.has(name)) throw new GatewayError(404, 'not_found', `The "${name}" instance does not exist`);
  reporter.wear(name, 'evolution');
  return name;
}

const renderEvolutionError: RenderError = ({ status: thrown, code, message }, _request, response: Response) => {
  const isClosed = code === 'instance_not_connected';
  const status = isClosed ? 400 : thrown;
  const { to } = (response.locals.attempt ?? { to: null }) as Pick<SendAttempt, 'to'>;
  const isUnknown = code === UNKNOWN_NUMBER && to !== null;
  const words = isClosed ? 'Error: Connection Closed' : message;
  const reason = isUnknown ? { jid: jidOf(to), exists: false, number: to } : words;
  return { status, body: { status, error: STATUS_CODES[status] ?? code, response: { message: [reason] } } };
};
