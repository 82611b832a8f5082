// OpenAPI description of lead files.

import { z } from 'zod';
import { keysOf } from '../../../platform/input/input.js';
import {
  wireId,
  wireTime,
  type RouteDescription,
  type RouteParameter,
  type Wire,
} from '../../../platform/http/route-description.js';
import { leadFilterSchema, leadOrderSchema } from '../lead.schema.js';
import { numberReading } from '../identity/number-reading.openapi.js';
import { importFields } from './lead-import-columns.js';
import { maxColumnExamples, maxHeadBytes, maxHeadRows, type ImportHead } from './lead-import-preview.js';
import { importQuerySchema, maxImportBytes, maxImportErrors, maxImportRows } from './lead-import.schema.js';
import type { LeadImportRecord } from './lead-import.service.js';
import { importStatuses, importUpdates, maxRefusedRows } from './lead-import.sql.js';

const count = z.number().int();

const importAnswer: z.ZodType<Wire<LeadImportRecord>> = z.object({
  id: wireId,
  userId: wireId,
  fileName: z.string().nullable(),
  isDryRun: z.boolean(),
  update: z.enum(keysOf(importUpdates)).nullable(),
  columns: z
    .record(z.string(), z.string().nullable())
    .describe('Each header with the field that it was read as; null: left out.'),
  columnNotes: z
    .array(z.object({ header: z.string(), message: z.string() }))
    .describe(
      'Titles above the header, under no header. Columns that could have been a field that another column is, and columns that were left out.',
    ),
  status: z.enum(Object.keys(importStatuses) as (keyof typeof importStatuses)[]),
  totalRows: count,
  processedRows: count,
  createdRows: count,
  existingRows: count,
  updatedRows: count,
  duplicateRows: count,
  refusedRows: count,
  errors: z
    .array(z.object({ line: count, field: z.string(), message: z.string() }))
    .describe(
      `The first ${maxImportErrors} rows that are wrong or repeat an earlier one; refusedRows and duplicateRows count all.`,
    ),
  problem: z.string().nullable(),
  createdAt: wireTime,
  finishedAt: wireTime.nullable(),
});

const headAnswer: z.ZodType<Wire<ImportHead>> = z.object({
  columns: z
    .array(
      z.object({
        header: z.string().describe('As it stands in the file; empty where the column has no name.'),
        field: z.string().nullable().describe('As in `columns`; null: left out.'),
        note: z
          .string()
          .nullable()
          .describe('Why it is not another field, where it could be one; or that it completes numbers.'),
        examples: z.array(z.string()).describe(`Its first values that differ, ${maxColumnExamples} at most.`),
      }),
    )
    .describe('In the order of the file.'),
  problem: z.string().nullable().describe('Why such a file is refused as a whole.'),
  note: z.string().nullable().describe('On titles above the header, which are left out.'),
  rows: z
    .array(
      z.object({
        line: count,
        written: z.string().describe('The number as the file has it.'),
        chat: z.string().nullable().describe('Digits with country code; null where the row would be refused.'),
        reading: numberReading.nullable(),
        problems: z.array(z.object({ field: z.string(), message: z.string() })),
      }),
    )
    .describe(`The first ${maxHeadRows} rows as they would be read; none where there is a problem.`),
});

const { dryRun, fileName, country, update } = importQuerySchema.shape;

const countryParameter: RouteParameter = {
  name: 'country',
  in: 'query',
  description: 'Whose numbers national writings are, in rows without a `country`. Otherwise the default of the tenant.',
  schema: country,
  example: 'BR',
};
const columnsParameter: RouteParameter = {
  name: 'columns',
  in: 'query',
  description:
    `Header → ${importFields.map((field) => `\`${field}\``).join(', ')}, \`metadata.<name>\`, \`customFields.<name>\`, or null to leave it out. ` +
    'Columns that are not named are guessed.',
  schema: z.record(z.string(), z.string().nullable()),
  example: { chat: 'chat' },
  json: true,
};

export const leadFileDescriptions: RouteDescription[] = [
  {
    method: 'post',
    path: '/leads/import',
    operationId: 'importLeads',
    tag: 'Files',
    summary: 'Import leads from a CSV file',
    description:
      `UTF-8, at most ${maxImportRows} rows, uploaded within 30 s; comma, semicolon or tab. A column \`chat\` is required; \`name\`, \`source\`, ` +
      '`country` and `tags` are known, any other column is a custom field of new leads. A tenant has one import at a time. Safe to repeat.',
    credentials: [['bearer']],
    parameters: [
      {
        name: 'dryRun',
        in: 'query',
        description: 'Only says what would become of it.',
        schema: dryRun,
        example: 'true',
      },
      { name: 'fileName', in: 'query', description: 'Kept with the import.', schema: fileName, example: 'leads.csv' },
      countryParameter,
      columnsParameter,
      {
        name: 'update',
        in: 'query',
        description: 'What becomes of known leads. Otherwise they stay as they are.',
        schema: update,
        example: 'FILL',
      },
    ],
    body: {
      type: 'text/csv',
      schema: z.string(),
      maxBytes: maxImportBytes,
      examples: {
        file: {
          summary: 'Two leads',
          value: 'chat,name,tags\n+55 11 98888-7777,Ana,vip\n5521977776666,Rui,\n',
          status: 200,
        },
      },
    },
    answers: { 200: { description: 'The import, finished, or RUNNING after 10 s.', schema: importAnswer } },
    problems: ['UNAUTHENTICATED', 'CONFLICT', 'VALIDATION_FAILED'],
  },
  {
    method: 'post',
    path: '/leads/import/columns',
    operationId: 'readLeadColumns',
    tag: 'Files',
    summary: 'How the columns of a CSV file would be read',
    description:
      `The first ${maxHeadBytes / 1024} KiB of a file count, and a row that they cut is left out: the whole file may be sent, or its beginning. ` +
      'Nothing is stored. What is no CSV is refused as by an import.',
    credentials: [['bearer']],
    parameters: [countryParameter, columnsParameter],
    body: {
      type: 'text/csv',
      schema: z.string(),
      maxBytes: maxImportBytes,
      examples: {
        file: { summary: 'One lead', value: 'chat,Nome\n+55 11 98888-7777,Ana\n', status: 200 },
      },
    },
    answers: { 200: { description: 'The columns and the first rows.', schema: headAnswer } },
    problems: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  {
    method: 'get',
    path: '/leads/import/:id/refused',
    operationId: 'exportRefusedLeads',
    tag: 'Files',
    summary: 'The refused rows of an import as CSV',
    description: `The columns of the file, then the line and the reason. The first ${maxRefusedRows}, for 7 days.`,
    credentials: [['bearer']],
    parameters: [{ name: 'id', in: 'path', description: 'Of the import.', schema: wireId }],
    answers: { 200: { description: 'The file, streamed.', type: 'text/csv', schema: z.string() } },
    problems: ['UNAUTHENTICATED', 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  {
    method: 'get',
    path: '/leads/export.csv',
    operationId: 'exportLeads',
    tag: 'Files',
    summary: 'Export leads as CSV',
    credentials: [['bearer']],
    parameters: [
      {
        name: 'filter',
        in: 'query',
        description: 'As of the list `leads` in GraphQL.',
        schema: leadFilterSchema,
        example: { tagsAny: ['vip'], since: '2026-01-01T00:00:00Z' },
        json: true,
      },
      {
        name: 'orderBy',
        in: 'query',
        description: 'As of the list `leads` in GraphQL.',
        schema: leadOrderSchema,
        example: { field: 'NAME', direction: 'ASC' },
        json: true,
      },
    ],
    answers: { 200: { description: 'The file, streamed.', type: 'text/csv', schema: z.string() } },
    problems: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
];
