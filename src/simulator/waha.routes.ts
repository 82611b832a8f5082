// Owns what WAHA answers: sessions and their codes, sends under reserved ids, reactions, receipts, its lists of messages, and files.
// message-intake.ts decides the outcome of a send, and waha-call.ts makes the webhooks.

import { STATUS_CODES } from 'node:http';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { numberOf } from './dressed-report.js';
import { dressedRouter, isUnknownNumber, UNKNOWN_NUMBER, type DressedRoutesOptions } from './dressed-routes.js';
import { GatewayError, type RenderError } from './gateway-error.js';
import { answerSend, describeMessage, type SendAttempt } from './gateway.routes.js';
import type { HistoryRow } from './message-history.js';
import { instanceNameSchema, type OutgoingMessage } from './message.schema.js';
import { drawMessageId } from './report-plan.js';
import * as schema from './waha.schema.js';
import { meOf, sessionStatusOf, WAHA_ENGINE, WAHA_ENVIRONMENT } from './waha-call.js';
import { chatIdOf, makeWahaMessage, serializedIdOf } from './waha-message.js';

/** The routes whose calls are on record. */
export const WAHA_RECORDED_PATHS =
  /^\/api\/(?:send(?:Text|Image|File|Video|Voice|Seen)|reaction|(?:start|stop)Typing)$/;

const SEND_TYPES = { sendImage: 'image', sendFile: 'document', sendVideo: 'video', sendVoice: 'audio' } as const;
const NOT_FOUND = 'not_found';

export function wahaRoutes(options: DressedRoutesOptions): Router {
  const routes = [
    Router().get('/version', (_request, response) => void response.json(WAHA_ENVIRONMENT)),
    Router().use('/sessions', sessionRoutes(options)),
    ...[sendRoutes, activityRoutes, contactRoutes, authRoutes, chatRoutes].map((make) => make(options)),
  ];
  return Router().use('/api', dressedRouter(options, { keyHeader: 'x-api-key', render: renderWahaError }, routes));
}

function sessionRoutes({ instances, behaviours, reporter }: DressedRoutesOptions): Router {
  const router = Router();
  const infoOf = (name: string) => {
    const { status } = instances.get(name);
    const me = status === 'CONNECTED' ? meOf(name) : null;
    return { name, status: sessionStatusOf(status), config: {}, me, engine: { engine: WAHA_ENGINE } };
  };
  const get = (request: Request) => readSession(request.params.session, { instances, reporter });

  router.post('/', (request, response) => {
    const { name, start, config } = schema.createSessionSchema.parse(request.body);
    if (!instances.create(name))
      throw new GatewayError(422, 'exists', `Session '${name}' already exists. Use PUT to update it.`);
    reporter.wear(name, 'waha');
    reporter.setTarget(targetOf(config), name);
    if (start) instances.connect(name, behaviours.get(name));
    response.status(201).json(infoOf(name));
  });
  router.put('/:session', (request, response) => {
    const name = get(request);
    reporter.setTarget(targetOf(schema.updateSessionSchema.parse(request.body).config), name);
    response.json(infoOf(name));
  });
  router.get('/:session', (request, response) => {
    response.json(infoOf(get(request)));
  });
  router.delete('/:session', (request, response) => {
    instances.delete(get(request));
    response.end();
  });
  for (const action of ['start', 'restart', 'stop', 'logout'] as const)
    router.post(`/:session/${action}`, (request, response) => {
      const name = get(request);
      if (action !== 'start') instances.disconnect(name);
      if (action === 'start' || action === 'restart') instances.connect(name, behaviours.get(name));
      response.status(201).json(infoOf(name));
    });
  return router;
}

function targetOf(config: schema.SessionConfig | null | undefined): object {
  const webhook = config?.webhooks?.[0];
  if (webhook === undefined) return {};
  const tenantKey = webhook.customHeaders?.find(({ name }) => name.toLowerCase() === 'x-tenant-key')?.value;
  const webhookSecret = webhook.hmac?.key ?? undefined;
  return {
    webhookUrl: webhook.url,
    ...(tenantKey === undefined ? {} : { tenantKey }),
    ...(webhookSecret === undefined ? {} : { webhookSecret }),
  };
}

function authRoutes(options: DressedRoutesOptions): Router {
  const { instances, behaviours } = options;
  const router = Router();
  /** The codes of a session that waits for a scan. */
  const codesOf = (name: string, what: string) => {
    const { status } = instances.get(name);
    const { qr = '', pairingCode = '' } = status === 'CONNECTING' ? instances.connect(name, behaviours.get(name)) : {};
    if (status === 'CONNECTING') return { qr, pairingCode };
    const current = `The current status is ${sessionStatusOf(status)}`;
    throw new GatewayError(422, 'no_code', `Can ${what} only in SCAN_QR_CODE status. ${current}`);
  };

  router.get('/:session/auth/qr', (request, response) => {
    const { qr, pairingCode } = codesOf(readSession(request.params.session, options), 'get QR code');
    const { format } = schema.qrSchema.parse(request.query);
    const [, mimetype = '', data = ''] = /^data:([^;]+);base64,(.+)$/.exec(qr) ?? [];
    if (format === 'raw') response.json({ value: `simulator:${pairingCode}` });
    else if (request.accepts(['image/*', 'json']) === 'json') response.json({ mimetype, data });
    else response.type(mimetype).send(Buffer.from(data, 'base64'));
  });
  router.post('/:session/auth/request-code', (request, response) => {
    const { pairingCode: code } = codesOf(readSession(request.params.session, options), 'request code');
    schema.requestCodeSchema.parse(request.body);
    response.status(201).json({ code });
  });
  return router;
}

function sendRoutes(options: DressedRoutesOptions): Router {
  const { intake, history } = options;
  const router = Router();
  const toNumber = (chatId: string) => numberOf(chatId, (lid) => history.numberOf(lid));
  const send = (read: (body: unknown) => SentBody): RequestHandler =>
    async function sendMessage(request, response) {
      const { session, chatId, id, reply_to: replyTo, ...content } = read(request.body);
      const instance = readWorkingSession(session, options, response);
      const attempt = response.locals.attempt as SendAttempt;
      const to = toNumber(chatId);
      const message = { instance, to, ...content, ...(replyTo == null ? {} : { replyTo: bareIdOf(replyTo) }) };
      describeMessage(attempt, message);
      attempt.idempotencyKey = id ?? null;
      const answer = await intake.receive(id == null ? undefined : { messageId: id }, message);
      response.status(201);
      answerSend(response, attempt, answer, (messageId) => sentBody({ instance, to, messageId }, options));
    };

  router.post(
    '/sendText',
    send((body) => {
      const { session, chatId, id, reply_to, text } = schema.sendTextSchema.parse(body);
      return { session, chatId, id, reply_to, type: 'text', text };
    }),
  );
  for (const [path, type] of Object.entries(SEND_TYPES))
    router.post(
      `/${path}`,
      send((body) => {
        const { session, chatId, id, reply_to, file, caption } = schema.sendFileSchema.parse(body);
        const mimeType = file.mimetype ?? (type === 'audio' ? 'audio/ogg; codecs=opus' : undefined);
        const url = file.url ?? `data:application/octet-stream;base64,${file.data}`;
        const media = { url, mimeType, fileName: file.filename ?? undefined, caption: caption ?? undefined };
        return { session, chatId, id, reply_to, type, media };
      }),
    );
  return router;
}

/** Reactions, receipts and typing. */
function activityRoutes(options: DressedRoutesOptions): Router {
  const { intake, history } = options;
  const router = Router();
  const toNumber = (chatId: string) => numberOf(chatId, (lid) => history.numberOf(lid));

  router.put('/reaction', async (request, response) => {
    const { session, messageId: named, reaction } = schema.reactionSchema.parse(request.body);
    const instance = readWorkingSession(session, options, response);
    const messageId = bareIdOf(named);
    const to = toNumber(
      /^(?:true|false)_([^@]*@[a-z.]+)_/.exec(named)?.[1] ?? history.find(instance, messageId)?.number ?? '',
    );
    const about = { messageId, emoji: reaction === '' ? null : reaction };
    const attempt = response.locals.attempt as SendAttempt;
    Object.assign(attempt, { instance, to, type: 'reaction', reaction: about });
    const row = await intake.receiveReaction({ instance, to, ...about });
    attempt.outcome = 'accepted';
    response.json({ id: serializedIdOf(row) });
  });
  router.post('/sendSeen', (request, response) => {
    const { session, chatId, messageId, messageIds } = schema.seenSchema.parse(request.body);
    const seen = messageIds?.at(-1) ?? messageId;
    note(response, { instance: readWorkingSession(session, options, response), to: toNumber(chatId), type: 'read' });
    (response.locals.attempt as SendAttempt).messageId = seen == null ? null : bareIdOf(seen);
    response.status(201).json({});
  });
  for (const [path, type] of Object.entries({ startTyping: 'composing', stopTyping: 'paused' }))
    router.post(`/${path}`, (request, response) => {
      const { session, chatId } = schema.typingSchema.parse(request.body);
      note(response, { instance: readWorkingSession(session, options, response), to: toNumber(chatId), type });
      response.status(201).json({ result: true });
    });
  return router;
}

type SentBody = Omit<OutgoingMessage, 'instance' | 'to' | 'replyTo'> & {
  session: string;
  chatId: string;
  id?: string | null | undefined;
  reply_to?: string | null | undefined;
};

function note(response: Response, said: Pick<SendAttempt, 'instance' | 'to' | 'type'>): void {
  Object.assign(response.locals.attempt as SendAttempt, said, { outcome: 'accepted' });
}

function sentBody(
  { instance, to, messageId }: { instance: string; to: string; messageId: string },
  { history, serverUrl }: DressedRoutesOptions,
): object {
  const row = history.find(instance, messageId);
  // The row is missing only when 50,000 newer rows came before this answer.
  if (row === undefined) return { id: `true_${chatIdOf({ number: to })}_${messageId}`, _data: null };
  const { id, _data } = makeWahaMessage(row, { serverUrl: serverUrl(), isDownloaded: false });
  return { id, _data };
}

function contactRoutes(options: DressedRoutesOptions): Router {
  const { behaviours, history, random } = options;
  const router = Router();
  router.get('/contacts/check-exists', (request, response) => {
    const { session, phone } = schema.checkExistsSchema.parse(request.query);
    const instance = readWorkingSession(session, options, response);
    const to = numberOf(phone, (lid) => history.numberOf(lid));
    const exists = !isUnknownNumber(behaviours, instance, to);
    response.json(exists ? { numberExists: true, chatId: chatIdOf({ number: to }) } : { numberExists: false });
  });
  router.get('/:session/lids/:lid', (request, response) => {
    readWorkingSession(request.params.session, options, response);
    const lid = request.params.lid.replace(/@lid$/, '');
    const number = history.numberOf(lid);
    response.json({ lid: `${lid}@lid`, pn: number === undefined ? null : `${number}@c.us` });
  });
  router.get('/:session/new-message-id', (request, response) => {
    readWorkingSession(request.params.session, options, response);
    response.json({ id: drawMessageId(random) });
  });
  return router;
}

function chatRoutes(options: DressedRoutesOptions): Router {
  const { history, media, serverUrl } = options;
  const router = Router();
  const show = (row: HistoryRow, isDownloaded: boolean) => {
    const quoted = row.replyTo === undefined ? undefined : history.find(row.instance, row.replyTo);
    return makeWahaMessage(row, { serverUrl: serverUrl(), isDownloaded, quoted });
  };
  const isOf = (row: HistoryRow, chatId: string) =>
    chatId === 'all' || [chatIdOf(row), `${row.number}@c.us`].includes(chatId);

  router.get('/:session/chats/:chatId/messages', (request, response) => {
    const instance = readWorkingSession(request.params.session, options, response);
    const { limit, offset, downloadMedia, sortOrder, ...filter } = schema.listSchema.parse(request.query);
    const { 'filter.timestamp.gte': gte, 'filter.timestamp.lte': lte, 'filter.fromMe': isFromMe } = filter;
    const span = {
      since: gte === undefined ? undefined : gte * 1_000,
      until: lte === undefined ? undefined : lte * 1_000 + 999,
    };
    const rows = history.list({ instance, isFromMe, ...span }).filter((row) => isOf(row, request.params.chatId));
    const ordered = sortOrder === 'asc' ? rows.toReversed() : rows;
    // Reactions and edits take a place in their page and are then left out: a page that is not full is not the last.
    const page = ordered.slice(offset, offset + limit).filter(isShown);
    response.json(page.map((row) => show(row, downloadMedia)));
  });
  router.get('/:session/chats/:chatId/messages/:id', (request, response) => {
    const { session, chatId, id } = request.params;
    const instance = readWorkingSession(session, options, response);
    const { downloadMedia } = schema.readMessageSchema.parse(request.query);
    const row = history.find(instance, bareIdOf(id));
    if (row === undefined || !isShown(row) || !isOf(row, chatId))
      throw new GatewayError(404, NOT_FOUND, 'Message not found');
    response.json(show(row, downloadMedia));
  });
  router.get('/files/:session/:file', async (request, response) => {
    const { session, file } = request.params;
    const row = history.find(session, file.replace(/\.\w+$/, ''));
    if (row?.media === undefined) throw new GatewayError(404, NOT_FOUND, 'File not found');
    const bytes = await media.read(row.media.url);
    response.type(row.media.mimeType ?? 'application/octet-stream').send(bytes);
  });
  return router;
}

function isShown({ kind, isDeleted }: HistoryRow): boolean {
  return kind === 'message' && !isDeleted;
}

/** The network's own id, from either form of an id. */
function bareIdOf(id: string): string {
  return /^(?:true|false)_[^@]*@[a-z.]+_([^_]+)/.exec(id)?.[1] ?? id;
}

function readSession(
  name: unknown,
  { instances, reporter }: Pick<DressedRoutesOptions, 'instances' | 'reporter'>,
): string {
  const session = instanceNameSchema.parse(name);
  if (!instances.has(session)) {
    const advice = 'Please start it first by using POST /api/sessions/ request';
    throw new GatewayError(404, NOT_FOUND, `We didn't find a session with name '${session}'.\n${advice}`);
  }
  reporter.wear(session, 'waha');
  return session;
}

/** @throws GatewayError 422 where the session is not WORKING */
function readWorkingSession(name: unknown, options: DressedRoutesOptions, response: Response): string {
  const session = readSession(name, options);
  response.locals.session = session;
  response.locals.sessionStatus = sessionStatusOf(options.instances.get(session).status);
  options.intake.refuseUnlessConnected(session);
  return session;
}

const renderWahaError: RenderError = ({ status, code, message }, request, response) => {
  const { session, sessionStatus, attempt } = response.locals as Partial<
    Record<'session' | 'sessionStatus', string>
  > & {
    attempt?: SendAttempt;
  };
  if (code === 'instance_not_connected') {
    const error = 'Session status is not as expected. Try again later or restart the session';
    return { status: 422, body: { error, session, status: sessionStatus, expected: ['WORKING'] } };
  }
  // The engine finds no device to send to.
  const isUnknown = code === UNKNOWN_NUMBER && attempt?.to != null;
  if (!isUnknown && status !== 500)
    return { status, body: { statusCode: status, message, error: STATUS_CODES[status] ?? code } };
  const words = isUnknown ? `no LID found for ${attempt.to}@s.whatsapp.net from server` : message;
  const { path, method } = request;
  return {
    status: 500,
    body: { statusCode: 500, exception: { message: words, name: 'Error' }, request: { path, method } },
  };
};
