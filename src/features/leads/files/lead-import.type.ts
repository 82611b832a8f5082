// GraphQL types of imports.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../../platform/graphql/enum.type.js';
import { countedConnectionType } from '../../../platform/graphql/relay.type.js';
import type { ColumnNote } from './lead-import-columns.js';
import { maxImportErrors } from './lead-import.schema.js';
import type { LeadImportRecord } from './lead-import.service.js';
import {
  importStatuses,
  importUpdates,
  type ImportError,
  type ImportStatus,
  type ImportUpdate,
} from './lead-import.sql.js';

const LeadImportStatusEnum = enumOf('LeadImportStatus', 'How far an import is.', importStatuses);

@ObjectType({ description: 'What is wrong with a row of an imported file, or which earlier row it repeats.' })
export class LeadImportError implements ImportError {
  @Field(() => Int, { description: 'The line on which the row begins, from 1.' })
  line!: number;

  @Field(() => String, { description: 'The column; empty where it is the row as a whole.' })
  field!: string;

  @Field(() => String, { description: 'What is wrong.' })
  message!: string;
}

const ImportUpdateEnum = enumOf('LeadImportUpdate', 'What an import makes of known leads.', importUpdates);

@ObjectType({ description: 'What is said of a column of an imported file.' })
export class LeadImportColumnNote implements ColumnNote {
  @Field(() => String, { description: 'The header as it stands in the file; empty where the note is on the file.' })
  header!: string;

  @Field(() => String, { description: 'What became of it, and why.' })
  message!: string;
}

@ObjectType({ description: 'Leads from a CSV file (`POST /leads/import`), with how far they are.' })
export class LeadImport implements LeadImportRecord {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'The name that was given with the file.' })
  fileName!: string | null;

  @Field(() => Boolean, { description: 'Whether it only says what would become of the file.' })
  isDryRun!: boolean;

  @Field(() => ImportUpdateEnum, {
    nullable: true,
    description: 'What became of known leads; null: they stayed as they were.',
  })
  update!: ImportUpdate | null;

  @Field(() => GraphQLJSONObject, {
    description: 'Each header of the file with the field that it was read as; null: left out.',
  })
  columns!: Record<string, string | null>;

  @Field(() => [LeadImportColumnNote], {
    description:
      'Titles above the header. Columns that could have been a field that another column is, and columns that were left out.',
  })
  columnNotes!: ColumnNote[];

  @Field(() => LeadImportStatusEnum, { description: 'How far it is.' })
  status!: ImportStatus;

  @Field(() => Int, { description: 'Rows of the file, without its header and what stands above it.' })
  totalRows!: number;

  @Field(() => Int, { description: 'Rows that were looked at so far: the sum of the four that follow.' })
  processedRows!: number;

  @Field(() => Int, { description: 'Rows that made a new lead.' })
  createdRows!: number;

  @Field(() => Int, { description: 'Rows of leads that were there already. Each has one more touch.' })
  existingRows!: number;

  @Field(() => Int, { description: 'Of `existingRows`, those that changed their lead, by `update`.' })
  updatedRows!: number;

  @Field(() => Int, { description: 'Rows of a number that an earlier row has: passed over, and named in `errors`.' })
  duplicateRows!: number;

  @Field(() => Int, { description: 'Rows that are wrong: passed over.' })
  refusedRows!: number;

  @Field(() => [LeadImportError], {
    description: `What is wrong with rows, and which rows repeat an earlier one; the first ${maxImportErrors}.`,
  })
  errors!: ImportError[];

  @Field(() => String, { nullable: true, description: 'Why it was interrupted, where that is known.' })
  problem!: string | null;

  @Field(() => Date, { description: 'When it began.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it ended, or was last heard of; null while it runs.' })
  finishedAt!: Date | null;

  userId!: string;
}

export const LeadImportConnection = countedConnectionType(LeadImport, 'LeadImport');
