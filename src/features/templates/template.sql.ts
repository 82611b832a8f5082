// The statements that list and change templates, the latter in transactions that also write the audit log, and the one that reads versions.

import type { NamedStatement, Prisma } from '../../platform/database/database.js';
import type { NewestFirst } from '../../platform/database/newest-first.js';
import type { ShowableOf } from '../../platform/database/shown-records.js';
import { containing, selectColumns, whenGiven } from '../../platform/database/sql-text.js';
import type { TemplateConditions } from './template.schema.js';

/** The columns of a template, and those that its shown fields need. */
const shownTemplate: ShowableOf<Prisma.TemplateGetPayload<object>> = {
  columns: {
    tenantId: 'tenant_id',
    id: 'id',
    name: 'name',
    body: 'body',
    version: 'version',
    shortcut: 'shortcut',
    visibility: 'visibility',
    authorId: 'author_id',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    deletedAt: 'deleted_at',
  },
  needs: { variables: ['body'], versions: [], files: [], author: ['authorId'] },
};

const columns = selectColumns(shownTemplate.columns);

/** Which templates a user lists. */
export interface ListedTemplates extends TemplateConditions {
  /** The user who sees the own PERSONAL templates. */
  viewerId: string;
  /** True if the user sees those of others too. */
  seesPersonal: boolean;
}

/** The tenant's templates in use. */
export const listedTemplates: NewestFirst<ListedTemplates> = {
  name: 'list-templates',
  record: shownTemplate,
  from: 'templates t',
  keys: ['id'],
  conditions: conditionsOf,
};

function conditionsOf(tenantId: string, filter: ListedTemplates, use: (value: unknown) => string): string[] {
  return [
    `tenant_id = ${use(tenantId)}`,
    'deleted_at IS NULL',
    ...(filter.seesPersonal ? [] : [`(visibility = 'SHARED' OR author_id = ${use(filter.viewerId)})`]),
    ...whenGiven(filter.name, (name) => `name = ${use(name)}`),
    ...whenGiven(filter.search, (part) => {
      const pattern = use(containing(part));
      return `(name ILIKE ${pattern} OR shortcut ILIKE ${pattern})`;
    }),
    ...whenGiven(filter.shortcut, (shortcut) => `shortcut = ${use(shortcut)}`),
    ...whenGiven(filter.visibility, (visibility) => `visibility = ${use(visibility)}::template_visibility`),
    ...whenGiven(filter.authorId, (authorId) => `author_id = ${use(authorId)}`),
  ];
}

/** $1 tenant, $2 id, $3 name, $4 body, $5 shortcut, $6 visibility, $7 author. Its first version is written by `insertVersion`. */
export const insertTemplate: NamedStatement = {
  name: 'insert-template',
  text: `INSERT INTO templates (tenant_id, id, name, body, shortcut, visibility, author_id, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6::template_visibility, $7, now()) RETURNING ${columns}`,
};

/** $1 tenant → how many templates it has in use. */
export const countTemplates: NamedStatement = {
  name: 'count-templates',
  text: 'SELECT count(*)::int AS count FROM templates WHERE tenant_id = $1 AND deleted_at IS NULL',
};

/** $1 tenant, $2 template, $3 version, $4 body, $5 the user who wrote it. */
export const insertVersion: NamedStatement = {
  name: 'insert-template-version',
  text: 'INSERT INTO template_versions (tenant_id, template_id, version, body, author_id) VALUES ($1, $2, $3, $4, $5)',
};

/** $1 tenant, $2 id → the template unless it is deleted. */
export const lockTemplate: NamedStatement = {
  name: 'lock-template',
  text: `SELECT ${columns} FROM templates WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 id, $3 name, $4 body, $5 the body's version, $6 shortcut, $7 visibility. */
export const updateTemplate: NamedStatement = {
  name: 'update-template',
  text: `UPDATE templates SET name = $3, body = $4, version = $5, shortcut = $6, visibility = $7::template_visibility, updated_at = now()
    WHERE tenant_id = $1 AND id = $2 RETURNING ${columns}`,
};

/** $1 tenant, $2 id. */
export const deleteTemplate: NamedStatement = {
  name: 'delete-template',
  text: 'UPDATE templates SET deleted_at = now(), updated_at = now() WHERE tenant_id = $1 AND id = $2',
};

/** $1 tenant, $2 templates, $3 versions below this one (null for all), $4 limit for each → versions, newest first. */
export const selectVersions: NamedStatement = {
  name: 'select-template-versions',
  text: `SELECT v.* FROM unnest($2::uuid[]) AS t (id) CROSS JOIN LATERAL (
      SELECT template_id AS "templateId", version, body, author_id AS "authorId", created_at AS "createdAt"
      FROM template_versions
      WHERE tenant_id = $1 AND template_id = t.id AND ($3::int IS NULL OR version < $3::int)
      ORDER BY version DESC LIMIT $4
    ) v ORDER BY v."templateId", v.version DESC`,
};

// Files of templates: uploads of the media module, which checks them.

/** The files of templates `tf`, in the order of their positions. */
export const templateFiles = 'template_files tf';

/** True if a template has the upload, so that it is not pruned. @param file the row, in SQL */
export const isFileOfTemplate = (file: string) =>
  `EXISTS (SELECT FROM template_files tf WHERE tf.tenant_id = ${file}.tenant_id AND tf.file_id = ${file}.id)`;

/** $1 tenant, $2 template → its files, in the order of sending. */
export const selectFileIds: NamedStatement = {
  name: 'select-file-ids-of-template',
  text: 'SELECT file_id AS "fileId" FROM template_files WHERE tenant_id = $1 AND template_id = $2 ORDER BY position',
};

/** $1 tenant, $2 template: takes its files away. They are pruned like other uploads unless another template has them. */
export const deleteFiles: NamedStatement = {
  name: 'delete-template-files',
  text: 'DELETE FROM template_files WHERE tenant_id = $1 AND template_id = $2',
};

/** $1 tenant, $2 template, $3 uploads, in the order of sending. */
export const insertFiles: NamedStatement = {
  name: 'insert-template-files',
  text: `INSERT INTO template_files (tenant_id, template_id, file_id, position)
    SELECT $1, $2, id, place - 1 FROM unnest($3::uuid[]) WITH ORDINALITY AS f (id, place)`,
};
