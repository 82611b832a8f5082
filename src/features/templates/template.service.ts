// Templates: texts with variables, stored in all their versions and rendered for leads. The language is in template-text.ts; sending
// belongs to the outbox.

import type { Database, Prisma, SqlRunner } from '../../platform/database/database.js';
import { conflictingField, invalidField, notFound } from '../../platform/errors.js';
import { isUuid, parseInput, validationFailed, withoutUndefined } from '../../platform/input/input.js';
import { countListed, selectNewestFirst } from '../../platform/database/newest-first.js';
import { readPage, type Page, type PageArgs } from '../../platform/database/page.js';
import { requireUser, type Principal, type SystemPrincipal, type UserPrincipal } from '../../platform/principal.js';
import { requireRoomFor } from '../../platform/database/record-bound.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { SelectedFields, Shown } from '../../platform/database/shown-records.js';
import { runText } from '../../platform/database/sql-text.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import { changedFields, type AuditService } from '../audit/audit.service.js';
import type { LeadService } from '../leads/lead.service.js';
import { requireOwnToHide, requireUsable, seesTemplate } from './template-access.js';
import {
  parseTemplate,
  renderTemplate,
  type ParsedTemplate,
  type Rendering,
  type TemplateLead,
  type TemplateValues,
  type TemplateVariable,
} from './template-text.js';
import {
  createTemplateSchema,
  defaultVersionsShown,
  maxTemplates,
  parseTemplateVariables,
  templateFilterSchema,
  updateTemplateSchema,
  versionRangeSchema,
  type CreateTemplateInput,
  type TemplateFilter,
  type UpdateTemplateInput,
  type VersionRange,
} from './template.schema.js';
import {
  countTemplates,
  deleteFiles,
  deleteTemplate,
  insertFiles,
  insertTemplate,
  insertVersion,
  listedTemplates,
  lockTemplate,
  selectFileIds,
  selectVersions,
  updateTemplate,
} from './template.sql.js';
import { writeUnique } from '../../platform/database/unique-fields.js';

export type TemplateRow = Prisma.TemplateGetPayload<object>;
export type TemplateVersionRow = Omit<Prisma.TemplateVersionGetPayload<object>, 'tenantId'>;

/** A preview: the text, or the missing variables. */
export interface RenderedTemplateRecord {
  version: number;
  body: string | null;
  missing: string[];
}

/** A template that was read and parsed. Rendering is synchronous. */
export interface PreparedTemplate {
  readonly templateId: string;
  readonly version: number;
  readonly variables: readonly TemplateVariable[];
  /** The uploads that go with the text, in the order of sending. */
  readonly fileIds: readonly string[];
  /** @param values from `parseTemplateVariables` */
  render(lead: TemplateLead, values: TemplateValues): Rendering;
}

/** A text to send, its template, and the uploads that go with it. */
export interface TemplateMessage {
  body: string;
  templateId: string;
  version: number;
  fileIds: readonly string[];
}

/**
 * Checks uploads that a template is to have, and keeps them from being pruned until the transaction ends.
 * @throws AppError VALIDATION_FAILED on `fileIds.<index>`; CONFLICT if the tenant's templates have as many bytes as they may
 */
export type HoldFiles = (tx: Transaction, fileIds: readonly string[]) => Promise<void>;

/** The data of TEMPLATE_CHANGED. */
export interface TemplateChange {
  templateId: string;
}

export interface TemplateOptions {
  database: Database;
  transactor: Transactor;
  audit: AuditService;
  leads: LeadService;
  holdFiles: HoldFiles;
}

export class TemplateService {
  constructor(private readonly options: TemplateOptions) {}

  /**
   * The templates in use that the caller sees, newest first: SHARED ones and the own. An ADMIN who asks for an author's templates gets the
   * PERSONAL ones too.
   */
  async list(
    principal: Principal | undefined,
    args: PageArgs,
    wanted?: TemplateFilter | null,
    fields?: SelectedFields,
  ): Promise<Page<Shown<TemplateRow>>> {
    const { tenantId, userId: viewerId, role } = requireUser(principal);
    const { database } = this.options;
    const given = parseInput(templateFilterSchema, wanted ?? {}, 'filter');
    const filter = { ...given, viewerId, seesPersonal: role === 'ADMIN' && given.authorId != null };
    return readPage<Shown<TemplateRow>>(args, {
      list: 'templates',
      keyOf: (template) => template.id,
      read: (range) => database.show(tenantId, selectNewestFirst(listedTemplates, tenantId, filter, range, fields)),
      count: async () => {
        const [counted] = await runText<{ count: number }>(database, countListed(listedTemplates, tenantId, filter));
        return counted?.count ?? 0;
      },
    });
  }

  /** A template of the own tenant; null if there is none with this id that the caller sees, or it was deleted. */
  async find(principal: Principal | undefined, id: string): Promise<TemplateRow | null> {
    return this.read(requireUser(principal), id);
  }

  /** Templates by id that the caller sees, for batched reads. Deleted ones are included, because messages refer to them. */
  async listByIds(principal: Principal, ids: readonly string[]): Promise<TemplateRow[]> {
    const where = { tenantId: principal.tenantId, id: { in: [...ids] } };
    const templates = await this.options.database.prisma.template.findMany({ where });
    return templates.filter((template) => seesTemplate(principal, template));
  }

  /**
   * Versions of many templates, newest first, in one statement: of each, the `first` newest (10 by default, 50 at most) below `before`.
   * Ids of another tenant are left out.
   * @throws AppError VALIDATION_FAILED for a range out of bounds
   */
  async listVersions(
    { tenantId }: Principal,
    ids: readonly string[],
    range: VersionRange = {},
  ): Promise<TemplateVersionRow[]> {
    const { first, before } = parseInput(versionRangeSchema, range);
    const values = [tenantId, ids, before ?? null, first ?? defaultVersionsShown];
    return this.options.database.query<TemplateVersionRow>(selectVersions, values);
  }

  /**
   * Creates a template with its first version.
   * @throws AppError VALIDATION_FAILED, also on `body` where it cannot be read and on `fileIds.<index>`; CONFLICT when the name or the
   * shortcut is taken, or the tenant has `maxTemplates`
   */
  async create(principal: Principal | undefined, input: CreateTemplateInput): Promise<TemplateRow> {
    const user = requireUser(principal);
    const { name, body, shortcut, visibility, fileIds } = parseInput(createTemplateSchema, input);
    return this.options.transactor.run(user.tenantId, async (tx) => {
      await requireRoomFor(tx, user.tenantId, { kind: 'templates', max: maxTemplates, count: countTemplates });
      const values = [user.tenantId, newRecordId(), name, body, shortcut, visibility ?? 'SHARED', user.userId];
      const template = await writeUnique('template', uniqueFields, () => tx.query<TemplateRow>(insertTemplate, values));
      await keepVersion(tx, user, template);
      await this.keepFiles(tx, template, [], fileIds ?? []);
      const created = { action: 'TEMPLATE_CREATED', after: auditedFields(template, fileIds ?? []) } as const;
      await this.options.audit.record(tx, user, [{ ...about(template), ...created }]);
      emitChanged(tx, template);
      return template;
    });
  }

  /**
   * Changes a template. A changed body is a new version. Safe to repeat without `expectedVersion`.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED; CONFLICT if the name or the shortcut is taken, or the body has another version than
   * `expectedVersion`; FORBIDDEN if another than its author would make it PERSONAL
   */
  async update(principal: Principal | undefined, id: string, input: UpdateTemplateInput): Promise<TemplateRow> {
    const user = requireUser(principal);
    const { expectedVersion, fileIds, ...wanted } = parseInput(updateTemplateSchema, input);
    return this.options.transactor.run(user.tenantId, async (tx) => {
      const before = await getLocked(tx, user, id);
      if (expectedVersion != null && expectedVersion !== before.version)
        throw conflictingField('expectedVersion', `the template has version ${before.version} now`);
      const filesBefore = await listFileIds(tx, before);
      const next = { ...before, ...withoutUndefined(wanted) };
      const nextFiles = fileIds ?? filesBefore;
      requireOwnToHide(user, before, next);
      if (next.body !== before.body) next.version += 1;
      const changed = changedFields(auditedFields(before, filesBefore), auditedFields(next, nextFiles));
      if (changed === undefined) return before;
      const values = [before.tenantId, before.id, next.name, next.body, next.version, next.shortcut, next.visibility];
      const after = await writeUnique('template', uniqueFields, () => tx.query<TemplateRow>(updateTemplate, values));
      if (after.version !== before.version) await keepVersion(tx, user, after);
      if ('fileIds' in changed.after) await this.keepFiles(tx, after, filesBefore, nextFiles);
      await this.options.audit.record(tx, user, [{ ...about(after), action: 'TEMPLATE_UPDATED', ...changed }]);
      emitChanged(tx, after);
      return after;
    });
  }

  /**
   * Deletes a template. Messages still refer to it, and its name and its shortcut become free. Its files are pruned.
   * @returns its id
   * @throws AppError NOT_FOUND, also if it is already deleted
   */
  async delete(principal: Principal | undefined, id: string): Promise<string> {
    const user = requireUser(principal);
    return this.options.transactor.run(user.tenantId, async (tx) => {
      const before = await getLocked(tx, user, id);
      const files = await listFileIds(tx, before);
      await tx.query(deleteFiles, [before.tenantId, before.id]);
      await tx.query(deleteTemplate, [before.tenantId, before.id]);
      const deleted = { action: 'TEMPLATE_DELETED', before: auditedFields(before, files) } as const;
      await this.options.audit.record(tx, user, [{ ...about(before), ...deleted }]);
      emitChanged(tx, before);
      return before.id;
    });
  }

  /**
   * Renders a preview, for a lead if one is named. Nothing is sent.
   * @throws AppError NOT_FOUND for an unknown template or lead; VALIDATION_FAILED for wrong values, and on `variables` if the text
   * would be empty or too long
   */
  async render(
    principal: Principal | undefined,
    id: string,
    { leadId, variables }: { leadId?: string | null | undefined; variables?: unknown },
  ): Promise<RenderedTemplateRecord> {
    const user = requireUser(principal);
    const values = parseTemplateVariables(variables);
    const { version, ...template } = await this.get(user, id);
    const lead = leadId == null ? undefined : await this.options.leads.find(user, leadId);
    if (lead === null) throw notFound('lead');
    const rendering = renderTemplate(parseStored(template), values, lead);
    if ('missing' in rendering) return { version, body: null, missing: rendering.missing };
    return { version, body: textOf(rendering), missing: [] };
  }

  /**
   * A template to render for many leads, with its files.
   * @throws AppError NOT_FOUND for an unknown or deleted template, or another user's PERSONAL one; VALIDATION_FAILED on `templateId` if an
   * ADMIN would send another's
   */
  async prepare(principal: UserPrincipal | SystemPrincipal, id: string): Promise<PreparedTemplate> {
    const template = await this.get(principal, id);
    requireUsable(principal, template);
    const parsed = parseStored(template);
    return {
      templateId: template.id,
      version: template.version,
      variables: parsed.variables,
      fileIds: await listFileIds(this.options.database, template),
      render: (lead, values) => renderTemplate(parsed, values, lead),
    };
  }

  /**
   * The text of a message to one lead.
   * @throws AppError NOT_FOUND as `prepare`; VALIDATION_FAILED naming each missing variable (`variables.<name>`), each wrong
   * value, or `variables` if the text would be empty or too long
   */
  async renderFor(
    principal: UserPrincipal | SystemPrincipal,
    { templateId, variables }: { templateId: string; variables?: unknown },
    lead: TemplateLead,
  ): Promise<TemplateMessage> {
    const values = parseTemplateVariables(variables);
    const prepared = await this.prepare(principal, templateId);
    const body = textOf(prepared.render(lead, values));
    const { fileIds, version } = prepared;
    return { body, templateId: prepared.templateId, version, fileIds };
  }

  private async keepFiles(
    tx: Transaction,
    { tenantId, id }: TemplateRow,
    before: readonly string[],
    wanted: readonly string[],
  ): Promise<void> {
    if (wanted.some((fileId) => !before.includes(fileId))) await this.options.holdFiles(tx, wanted);
    if (before.length > 0) await tx.query(deleteFiles, [tenantId, id]);
    if (wanted.length > 0) await tx.query(insertFiles, [tenantId, id, wanted]);
  }

  private async get(principal: Principal, id: string): Promise<TemplateRow> {
    const template = await this.read(principal, id);
    if (template === null) throw notFound('template');
    return template;
  }

  private async read(principal: Principal, id: string): Promise<TemplateRow | null> {
    if (!isUuid(id)) return null;
    const where = { tenantId: principal.tenantId, id, deletedAt: null };
    const template = await this.options.database.prisma.template.findFirst({ where });
    return template !== null && seesTemplate(principal, template) ? template : null;
  }
}

/** The variables of a stored body. */
export function variablesOf(template: Pick<TemplateRow, 'body'>): readonly TemplateVariable[] {
  return parseStored(template).variables;
}

// Bodies are parsed before they are stored.
function parseStored({ body }: Pick<TemplateRow, 'body'>): ParsedTemplate {
  const parsed = parseTemplate(body);
  if ('problem' in parsed) throw new Error(`a stored template cannot be read: ${parsed.problem}`);
  return parsed;
}

function textOf(rendering: Rendering): string {
  if ('text' in rendering) return rendering.text;
  if ('problem' in rendering) throw invalidField('variables', rendering.problem);
  const message = 'is required: neither the call nor the lead has it, and the template no default';
  throw validationFailed(rendering.missing.map((name) => ({ path: `variables.${name}`, message })));
}

async function getLocked(sql: SqlRunner, user: UserPrincipal, id: string): Promise<TemplateRow> {
  const [template] = isUuid(id) ? await sql.query<TemplateRow>(lockTemplate, [user.tenantId, id]) : [];
  if (template === undefined || !seesTemplate(user, template)) throw notFound('template');
  return template;
}

async function listFileIds(sql: SqlRunner, { tenantId, id }: TemplateRow): Promise<string[]> {
  return (await sql.query<{ fileId: string }>(selectFileIds, [tenantId, id])).map(({ fileId }) => fileId);
}

async function keepVersion(sql: SqlRunner, { userId }: UserPrincipal, template: TemplateRow): Promise<void> {
  const { tenantId, id, version, body } = template;
  await sql.query(insertVersion, [tenantId, id, version, body, userId]);
}

const uniqueFields: Readonly<Record<string, string>> = {
  templates_tenant_id_name_key: 'name',
  templates_tenant_id_shortcut_key: 'shortcut',
};

function emitChanged(tx: Transaction, { id: templateId }: TemplateRow): void {
  tx.emit({ type: 'TEMPLATE_CHANGED', data: { templateId } satisfies TemplateChange });
}

function auditedFields({ name, body, version, shortcut, visibility }: TemplateRow, fileIds: readonly string[]) {
  return { name, body, version, shortcut, visibility, fileIds };
}

function about({ tenantId, id }: TemplateRow) {
  return { tenantId, targetKind: 'TEMPLATE', targetId: id } as const;
}
