// Owns what a number of Meta's Cloud API answers: its state, the templates of its account, and sends of texts, templates and reactions.
// message-intake.ts decides the outcome of a send, as for the gateway's own interface.

import { createHash } from 'node:crypto';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { answerSend, type SendAttempt } from './gateway.routes.js';
import { cloudFileIdOf } from './cloud-call.js';
import type { FormLeads } from './form-leads.js';
import type { MediaFetch } from './media-fetch.js';
import type { MessageHistory } from './message-history.js';
import type { MessageIntake } from './message-intake.js';

const NUMBER_PATH = /^\/v\d{1,3}\.\d{1,2}\/(\d{1,32})$/;
const TEMPLATES_PATH = /^\/v\d{1,3}\.\d{1,2}\/\d{1,32}\/message_templates$/;

/** The path to which messages of a number are posted. */
export const CLOUD_MESSAGES_PATH = /^\/v\d{1,3}\.\d{1,2}\/(\d{1,32})\/messages$/;

/** The templates of every account. */
const CLOUD_TEMPLATES = [
  templateOf('9000000001', 'hello', 'pt_BR', 'UTILITY', 'Oi {{1}}, seu pedido {{2}} chegou.'),
  templateOf('9000000002', 'offer', 'en_US', 'MARKETING', 'Hi {{1}}, everything is {{2}} off this week.'),
] as const;

const parameterSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const componentSchema = z.looseObject({ type: z.string(), parameters: z.array(parameterSchema).max(100).default([]) });
const addressSchema = z.string().regex(/^\+?\d{5,20}$/);

const cloudMessageSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('text'),
    to: addressSchema,
    text: z.looseObject({ body: z.string().min(1).max(4_096) }),
    context: z.looseObject({ message_id: z.string().min(1).max(255) }).optional(),
  }),
  z.looseObject({
    type: z.literal('template'),
    to: addressSchema,
    template: z.looseObject({
      name: z.string().min(1).max(512),
      language: z.looseObject({ code: z.string().min(2).max(35) }),
      components: z.array(componentSchema).max(20).default([]),
    }),
  }),
  z.looseObject({
    type: z.literal('reaction'),
    to: addressSchema,
    reaction: z.looseObject({ message_id: z.string().min(1).max(255), emoji: z.string().max(64) }),
  }),
]);

type CloudMessage = z.infer<typeof cloudMessageSchema>;
type TemplateMessage = Extract<CloudMessage, { type: 'template' }>;

/** A refusal in Meta's words. */
interface CloudProblem {
  readonly code: number;
  readonly message: string;
  readonly subcode?: number;
}

export interface CloudRoutesOptions {
  readonly intake: MessageIntake;
  readonly history: MessageHistory;
  readonly media: MediaFetch;
  readonly forms: FormLeads;
}

/** Expects a parsed JSON body. */
export function cloudRoutes({ intake, history, media, forms }: CloudRoutesOptions): Router {
  const router = Router();
  router.get(NUMBER_PATH, async (request, response) => {
    const id = readNumber(request);
    const { phone_number_id: instance } = request.query;
    // A query for a file names the number that the file came to; any other query is for a form's answers.
    if (typeof instance !== 'string') {
      response.json(forms.findAnswers(id) ?? { id });
      return;
    }
    const row = history.list({ instance }).find((one) => one.media !== undefined && cloudFileIdOf(one.id) === id);
    if (row?.media === undefined)
      return refuse(response, { code: 100, message: `There is no file ${id}`, subcode: 33 });
    const bytes = await media.read(row.media.url);
    const { url, mimeType: mime_type } = row.media;
    response.json({
      messaging_product: 'whatsapp',
      url,
      mime_type,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      file_size: bytes.length,
      id,
    });
  });
  router.get(TEMPLATES_PATH, (_request, response) => {
    response.json({ data: CLOUD_TEMPLATES, paging: {} });
  });
  router.post(CLOUD_MESSAGES_PATH, async (request, response) => {
    const attempt = response.locals.attempt as SendAttempt;
    const instance = readNumber(request);
    const message = cloudMessageSchema.parse(request.body);
    const { to, type } = message;
    Object.assign(attempt, { instance, to, type });
    if (message.type === 'reaction') {
      const { message_id: messageId, emoji } = message.reaction;
      attempt.reaction = { messageId, emoji: emoji === '' ? null : emoji };
      await intake.receiveReaction({ instance, to: to.replace('+', ''), ...attempt.reaction });
      attempt.outcome = 'accepted';
      response.json(acceptedBody(to, `reaction.${messageId}`));
      return;
    }
    const text = message.type === 'text' ? message.text.body : fill(message);
    if (typeof text !== 'string') return refuse(response, text);
    attempt.text = text;
    // Meta knows no keys: each call is a message.
    const answer = await intake.receive(undefined, { instance, to, type, text });
    answerSend(response, attempt, answer, (messageId) => acceptedBody(to, messageId));
  });
  return router;
}

/** @returns the text of the template's body, or the refusal */
function fill({ template: { name, language, components } }: TemplateMessage): string | CloudProblem {
  const found = CLOUD_TEMPLATES.find((one) => one.name === name && one.language === language.code);
  if (found === undefined) return { code: 132001, message: `Template ${name} does not exist in ${language.code}` };
  const [{ text }] = found.components;
  const values = components.find(({ type }) => type.toLowerCase() === 'body')?.parameters.map((one) => one.text) ?? [];
  const expected = text.match(/\{\{\d+\}\}/g)?.length ?? 0;
  if (values.length !== expected)
    return { code: 132000, message: `The body has ${values.length} parameters, and ${expected} are expected` };
  if (values.includes(undefined)) return { code: 132012, message: 'A parameter of the body is no text' };
  return text.replaceAll(/\{\{(\d+)\}\}/g, (_written, place: string) => values[Number(place) - 1] ?? '');
}

function refuse(response: Response, { code, message, subcode: error_subcode }: CloudProblem): void {
  const words = { message: `(#${code}) ${message}`, type: 'OAuthException', code, error_subcode };
  const error = { ...words, error_data: { details: message } };
  response.status(400).json({ error });
}

function acceptedBody(to: string, id: string): object {
  return { messaging_product: 'whatsapp', contacts: [{ input: to, wa_id: to.replace('+', '') }], messages: [{ id }] };
}

function readNumber(request: Request): string {
  return request.params[0] ?? '';
}

function templateOf(id: string, name: string, language: string, category: string, text: string) {
  return { id, name, language, status: 'APPROVED', category, components: [{ type: 'BODY', text }] as const };
}
