// GraphQL types of imports.

import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { countedConnectionType } from '../../../platform/relay.type.js';
import { maxImportErrors } from './lead-import.schema.js';
import { importStatuses } from './lead-import.sql.js';
import type { ImportError, ImportStatus, LeadImportRecord } from './lead-import.sql.js';

export const LeadImportStatusEnum = Object.fromEntries(Object.keys(importStatuses).map((name) => [name, name]));

registerEnumType(LeadImportStatusEnum, {
  name: 'LeadImportStatus',
  description: 'How far an import is.',
  valuesConfig: Object.fromEntries(
    Object.entries(importStatuses).map(([name, description]) => [name, { description }]),
  ),
});

@ObjectType({ description: 'What is wrong with a row of an imported file, or which earlier row it repeats.' })
export class LeadImportError implements ImportError {
  @Field(() => Int, { description: 'The line on which the row begins, from 1.' })
  line!: number;

  @Field(() => String, { description: 'The column; empty where it is the row as a whole.' })
  field!: string;

  @Field(() => String, { description: 'What is wrong.' })
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

  @Field(() => LeadImportStatusEnum, { description: 'How far it is.' })
  status!: ImportStatus;

  @Field(() => Int, { description: 'Rows of the file, without its first line.' })
  totalRows!: number;

  @Field(() => Int, { description: 'Rows that were looked at so far: the sum of the four that follow.' })
  processedRows!: number;

  @Field(() => Int, { description: 'Rows that made a new lead.' })
  createdRows!: number;

  @Field(() => Int, { description: 'Rows of leads that were there: unchanged, but for one more touch.' })
  existingRows!: number;

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
