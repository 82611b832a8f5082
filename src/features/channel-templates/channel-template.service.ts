// Reads channel templates, which the chat network keeps and approves, and prepares them for sending. Syncing belongs to
// channel-template-sync.service.ts, the network's reports to channel-template-status.service.ts.

import type { Database, Prisma } from '../../platform/database/database.js';
import { AppError, invalidField, notFound } from '../../platform/errors.js';
import { isUuid, parseInput, validationFailed } from '../../platform/input/input.js';
import { keyFilter, readPage, type KeyRange, type Page, type PageArgs } from '../../platform/database/page.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import { languageCode } from '../../providers/meta/template-list.js';
import type { ChatInstanceService } from '../chat-instances/chat-instance.service.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import { fillTemplate, readForm, type ChannelTemplateForm, type Filling } from '../../providers/meta/template-form.js';
import { channelTemplateFilterSchema, type ChannelTemplateFilter } from './channel-template.schema.js';

export type ChannelTemplateRow = Prisma.ChannelTemplateGetPayload<object>;

/** A channel template as a message stores it, with `components` in the network's format. */
export interface SentChannelTemplate {
  id: string;
  name: string;
  language: string;
  components?: object[];
}

/** The content of a message that is sent from a channel template. */
export interface ChannelTemplateMessage {
  body: string;
  channelTemplate: SentChannelTemplate;
}

/** A template that may be sent. Filling it is synchronous. */
export interface PreparedChannelTemplate {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  /** The only instance that it can be sent through. */
  readonly instanceId: string;
  /** @param variables by component: `{"body": {"1": "…"}}` */
  fill(variables: unknown): Filling;
}

export interface ChannelTemplateOptions {
  database: Database;
  chatInstances: ChatInstanceService;
  endpoints: GatewayEndpoints;
}

// A flagged template may be disabled soon. The network takes it until then.
const sendableStatuses: ReadonlySet<string> = new Set(['APPROVED', 'FLAGGED']);

export class ChannelTemplateService {
  constructor(private readonly options: ChannelTemplateOptions) {}

  /**
   * Returns the templates of an instance as they were last read or reported, newest first.
   * @throws AppError VALIDATION_FAILED; NOT_FOUND for an instance that the tenant does not have
   */
  async list(
    principal: Principal | undefined,
    instanceId: string,
    args: PageArgs,
    wanted?: ChannelTemplateFilter | null,
  ): Promise<Page<ChannelTemplateRow>> {
    const { tenantId } = requireUser(principal);
    const conditions = conditionsOf(parseInput(channelTemplateFilterSchema, wanted ?? {}, 'filter'));
    if ((await this.options.chatInstances.find(principal, instanceId)) === null) throw notFound('chat instance');
    const AND = [{ tenantId, instanceId }, ...conditions];
    const templates = this.options.database.prisma.channelTemplate;
    const read = (range: KeyRange) => {
      const { bound, sort } = keyFilter(range, 'desc');
      return templates.findMany({ where: { AND: [...AND, { id: bound }] }, orderBy: { id: sort }, take: range.limit });
    };
    const count = () => templates.count({ where: { AND } });
    return readPage(args, { list: 'channel-templates', keyOf: ({ id }) => id, read, count });
  }

  /**
   * Reads a template that may be sent now.
   * @param path the path of the field that names the template
   * @param instanceId the instance that the caller names; null if the caller names none
   * @throws AppError NOT_FOUND; NOT_OFFERED if the instance's network has no templates; VALIDATION_FAILED if the template is not APPROVED,
   * belongs to another instance, or has a part that cannot be filled
   */
  async prepare(
    principal: Principal,
    { id, path, instanceId }: { id: string; path: string; instanceId: string | null },
  ): Promise<PreparedChannelTemplate> {
    const row = await this.find(principal, id);
    const wanted = instanceId ?? row?.instanceId;
    const instance = wanted === undefined ? null : await this.options.chatInstances.find(principal, wanted);
    if (instanceId !== null && instance === null) throw notFound('chat instance');
    if (instance !== null && !this.options.endpoints.offersTemplates(instance.provider)) throw templatesNotOffered();
    if (row === null || instance === null) throw notFound('channel template');
    if (row.instanceId !== instance.id) throw invalidField(path, 'is a template of another chat instance');
    const form = formToSend(row, path);
    const { name, language } = row;
    return { id, name, language, instanceId: instance.id, fill: (variables) => fillTemplate(form, variables) };
  }

  private async find({ tenantId }: Principal, id: string): Promise<ChannelTemplateRow | null> {
    if (!isUuid(id)) return null;
    return this.options.database.prisma.channelTemplate.findUnique({ where: { tenantId_id: { tenantId, id } } });
  }
}

/** Returns the form of a template that can be sent. @throws AppError VALIDATION_FAILED on `path` if it cannot be sent */
function formToSend({ status, components }: ChannelTemplateRow, path: string): ChannelTemplateForm {
  if (!sendableStatuses.has(status))
    throw invalidField(path, `is ${status.slice(0, 64)}: only an APPROVED template can be sent`);
  const form = readForm(Array.isArray(components) ? components : []);
  if (form.unknownPart === undefined) return form;
  throw invalidField(path, `has ${form.unknownPart}, which cannot be sent from here`);
}

/**
 * Fills a template.
 * @param path the path of the variables in the input
 * @throws AppError VALIDATION_FAILED naming each wrong variable
 */
export function messageOf(template: PreparedChannelTemplate, variables: unknown, path: string): ChannelTemplateMessage {
  const filled = template.fill(variables);
  if ('body' in filled) return toMessage(template, filled);
  throw validationFailed(
    filled.errors.map((error) => ({ ...error, path: error.path === '' ? path : `${path}.${error.path}` })),
  );
}

export function toMessage(
  { id, name, language }: PreparedChannelTemplate,
  { body, components }: Exclude<Filling, { errors: unknown }>,
): ChannelTemplateMessage {
  const filled = components.length === 0 ? {} : { components };
  return { body, channelTemplate: { id, name, language, ...filled } };
}

export function templatesNotOffered(): AppError {
  const detail =
    "The network of this chat instance has no templates. Send a text, or use an instance of Meta's Cloud API.";
  return new AppError('NOT_OFFERED', detail);
}

function conditionsOf(
  filter: ReturnType<typeof channelTemplateFilterSchema.parse>,
): Prisma.ChannelTemplateWhereInput[] {
  const { name, search, language, category, status } = filter;
  return [
    ...(name == null ? [] : [{ name }]),
    ...(search == null
      ? []
      : [{ name: { contains: search.replaceAll(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' as const } }]),
    ...(language == null ? [] : [{ language: languageCode(language) }]),
    ...(category == null ? [] : [{ category: category.toUpperCase() }]),
    ...(status == null ? [] : [{ status: status.toUpperCase() }]),
  ];
}
