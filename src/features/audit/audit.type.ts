// GraphQL types of the audit log.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { connectionType } from '../../platform/graphql/relay.type.js';
import {
  auditActions,
  auditActorKinds,
  auditTargetKinds,
  type AuditAction,
  type AuditActorKind,
  type AuditFilter as AuditFilterShape,
  type AuditTargetKind,
} from './audit.schema.js';
import type { AuditRow } from './audit.service.js';

const AuditActionEnum = enumOf('AuditAction', 'What was done.', auditActions);
const AuditActorKindEnum = enumOf('AuditActorKind', 'Who acted.', auditActorKinds);
const AuditTargetKindEnum = enumOf('AuditTargetKind', 'What it was done to.', auditTargetKinds);

@ObjectType({ description: 'An administrative change, or the reading of a key. Secrets are left out.' })
export class AuditEntry implements Pick<AuditRow, 'id' | 'actorId' | 'targetId' | 'requestId' | 'createdAt'> {
  @Field(() => ID, { description: 'UUID v7: in the order of time.' })
  id!: string;

  @Field(() => AuditActorKindEnum, { description: 'Who acted.' })
  actorKind!: AuditActorKind;

  @Field(() => ID, {
    nullable: true,
    description: "The user's id where a user of this tenant, or the user's assistant, acted.",
  })
  actorId!: string | null;

  @Field(() => AuditActionEnum, { description: 'What was done.' })
  action!: AuditAction;

  @Field(() => AuditTargetKindEnum, { description: 'What kind of record it was done to.' })
  targetKind!: AuditTargetKind;

  @Field(() => ID, { description: "That record's id." })
  targetId!: string;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'The changed fields as they were; null at a creation.',
  })
  before!: Record<string, unknown> | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'The changed fields as they are since.' })
  after!: Record<string, unknown> | null;

  @Field(() => String, { nullable: true, description: 'The request, as the log and `x-request-id` name it.' })
  requestId!: string | null;

  @Field(() => Date, { description: 'When.' })
  createdAt!: Date;
}

export const AuditEntryConnection = connectionType(AuditEntry, 'AuditEntry');

@InputType({ description: 'Which entries to list: all given conditions have to hold.' })
export class AuditFilter implements AuditFilterShape {
  @Field(() => AuditActionEnum, { nullable: true, description: 'What was done.' })
  action?: AuditAction | null;

  @Field(() => ID, { nullable: true, description: 'The user who acted.' })
  actorId?: string | null;

  @Field(() => AuditTargetKindEnum, { nullable: true, description: 'What kind of record it was done to.' })
  targetKind?: AuditTargetKind | null;

  @Field(() => ID, { nullable: true, description: 'The record it was done to.' })
  targetId?: string | null;

  @Field(() => Date, { nullable: true, description: 'Not before this time.' })
  since?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Before this time.' })
  until?: Date | null;
}
