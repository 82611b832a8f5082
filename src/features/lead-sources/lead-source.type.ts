// GraphQL types of lead sources. Their secrets are never returned.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { NumberValidity } from '../../platform/prisma/enums.js';
import { leadSourceKinds, type LeadSourceKind } from './lead-source-kind.js';
import {
  defaultToleranceSeconds,
  hmacSchemes,
  maxForms,
  maxLeadSources,
  maxReadBackDays,
  type CreateLeadSourceInput as CreateLeadSourceShape,
  type HmacScheme,
  type UpdateLeadSourceInput as UpdateLeadSourceShape,
} from './lead-source.schema.js';
import type { LeadSourceRecord, SourceFormRecord } from './lead-source.sql.js';
import { NumberReadingType } from '../leads/identity/number-reading.type.js';
import type { NumberReading } from '../../platform/phone-numbers/written-number.js';
import type { DryRunLead, LeadDryRun } from './lead-dry-run.service.js';
import { connectionType } from '../../platform/graphql/relay.type.js';
import type { HeldRecord } from './held/held-submission.sql.js';
import type { Disclaimer } from './reading/submission.js';
import { Dated } from '../../platform/graphql/dated.type.js';

const LeadSourceKindEnum = enumOf('LeadSourceKind', 'What a lead source is.', leadSourceKinds);
const HmacSchemeEnum = enumOf('HmacScheme', 'What the calls of a form sign.', hmacSchemes);

const hmacTexts = {
  timestampHeader:
    'The header with the time of the call, in seconds or milliseconds; null: it stands in `header`, as `t=…,v1=…`.',
  toleranceSeconds: `How far the time may lie from ours, in seconds: ${defaultToleranceSeconds} by default, a day at most.`,
};

@ObjectType({ description: 'How the calls of a form are signed.' })
export class LeadSourceHmac {
  @Field(() => String, { description: 'The header with the signature.' })
  header!: string;

  @Field(() => String, { description: '`sha256`, `sha512` or `sha1`.' })
  algorithm!: string;

  @Field(() => String, { description: '`hex` or `base64`.' })
  encoding!: string;

  @Field(() => HmacSchemeEnum, { description: 'What is signed.' })
  scheme!: HmacScheme;

  @Field(() => String, { nullable: true, description: hmacTexts.timestampHeader })
  timestampHeader!: string | null;

  @Field(() => Int, { nullable: true, description: `${hmacTexts.toleranceSeconds} Null of BODY.` })
  toleranceSeconds!: number | null;
}

@ObjectType({
  description: 'A form of a META source, which is read every hour for leads whose notification never came.',
})
export class LeadSourceForm implements Omit<SourceFormRecord, 'sourceId'> {
  @Field(() => ID, { description: "Meta's id of it." })
  id!: string;

  @Field(() => Boolean, { description: 'Whether an ADMIN has entered it; otherwise a call has named it.' })
  isConfigured!: boolean;

  @Field(() => Date, { description: 'Leads from before were read.' })
  readUntil!: Date;

  @Field(() => String, { nullable: true, description: 'Why it could not be read the last time; null where it could.' })
  error!: string | null;
}

@ObjectType({ description: 'A form elsewhere that posts leads here.' })
export class LeadSource
  extends Dated
  implements
    Pick<
      LeadSourceRecord,
      'id' | 'name' | 'hasKey' | 'hasAppSecret' | 'hasAccessToken' | 'baseUrl' | 'mapping' | 'lastTestAt' | 'version'
    >
{
  @Field(() => LeadSourceKindEnum, { description: 'What it is.' })
  kind!: LeadSourceKind;

  @Field(() => String, { description: 'The source of its leads, where the mapping gives no other.' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether it has a key. It is never shown.' })
  hasKey!: boolean;

  @Field(() => Boolean, { description: 'Whether it has an app secret. It is never shown.' })
  hasAppSecret!: boolean;

  @Field(() => Boolean, { description: 'Whether it has an access token. It is never shown.' })
  hasAccessToken!: boolean;

  @Field(() => String, { nullable: true, description: "META: where the Graph API is; null: Meta's own address." })
  baseUrl!: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'The mapping as it was written; null: the usual one.',
  })
  mapping!: Record<string, unknown> | null;

  @Field(() => Date, {
    nullable: true,
    description: "META, GOOGLE: when a test of the product's own came last. It makes no lead.",
  })
  lastTestAt!: Date | null;

  @Field(() => Int, { description: 'Rises with each change.' })
  version!: number;
}

@ObjectType({ description: 'Whether a person ticked a box of a form.' })
export class LeadDisclaimer implements Disclaimer {
  @Field(() => String, { description: 'The key of the box.' })
  key!: string;

  @Field(() => Boolean, { description: 'Whether it was ticked.' })
  isChecked!: boolean;

  @Field(() => String, { description: 'What stood in the field.' })
  value!: string;
}

@ObjectType({ description: 'A field that is wrong.' })
export class LeadSourceFieldError {
  @Field(() => String, { description: 'The field.' })
  path!: string;

  @Field(() => String, { description: 'What is wrong with it.' })
  message!: string;
}

@ObjectType('TriedLead', { description: 'A lead as it would be.' })
export class DryRunLeadType implements DryRunLead {
  @Field(() => ID, { nullable: true, description: 'The lead that has this number already; null: none.' })
  id!: string | null;

  @Field(() => String, { description: 'The name. A lead that is there keeps its own.' })
  name!: string;

  @Field(() => String, { description: 'The number: digits with country code.' })
  chat!: string;

  @Field(() => NumberValidity, { description: 'Whether such a number can exist.' })
  numberValidity!: NumberValidity;

  @Field(() => NumberReadingType, { nullable: true, description: 'Why the number was read as it was.' })
  reading!: NumberReading | null;

  @Field(() => String, { description: 'The source.' })
  source!: string;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Everything that became no field.' })
  metadata!: Record<string, unknown> | null;

  @Field(() => [String], { description: 'The tags of a new lead. One that is there keeps its own.' })
  tags!: string[];

  @Field(() => GraphQLJSONObject, { description: 'The custom fields of a new lead. One that is there keeps its own.' })
  customFields!: Record<string, unknown>;
}

@ObjectType('LeadSourceTrial', { description: 'What a lead source would make of a payload.' })
export class LeadDryRunType implements LeadDryRun {
  @Field(() => DryRunLeadType, { nullable: true, description: 'The lead; null where there are errors.' })
  lead!: DryRunLead | null;

  @Field(() => Boolean, { description: 'Whether a new lead would be created.' })
  created!: boolean;

  @Field(() => Boolean, { description: 'Whether the source has sent this already: then nothing would change.' })
  duplicate!: boolean;

  @Field(() => Boolean, { description: "Whether it is a test of the source's own, which makes no lead." })
  isTest!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether it would wait for a number: it has an e-mail address and no usable number. `errors` says why.',
  })
  held!: boolean;

  @Field(() => String, { nullable: true, description: 'The e-mail address of one that would wait.' })
  email!: string | null;

  @Field(() => String, { nullable: true, description: "The source's own id of the lead." })
  externalId!: string | null;

  @Field(() => [LeadDisclaimer], { description: 'Evidence of consent, which the ledger would keep.' })
  disclaimers!: Disclaimer[];

  @Field(() => [LeadSourceFieldError], {
    description: 'What is wrong with it, by field. Unless it is held, a call would be refused.',
  })
  errors!: { path: string; message: string }[];

  @Field(() => [String], { description: 'What would be left out, such as files, as sentences.' })
  notes!: string[];

  @Field(() => [LeadDryRunType], {
    description: 'Of a body that is a list: each of its submissions. The fields beside are those of the first.',
  })
  submissions!: LeadDryRun[];
}

@ObjectType({ description: 'A submission with an e-mail address and without a usable number: it waits for a number.' })
export class HeldSubmission implements Pick<
  HeldRecord,
  'id' | 'sourceId' | 'email' | 'writtenNumber' | 'problem' | 'externalId' | 'createdAt'
> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => ID, { description: 'The lead source that it came through.' })
  sourceId!: string;

  @Field(() => String, { description: 'The e-mail address.' })
  email!: string;

  @Field(() => String, { nullable: true, description: 'What stood where the number belongs; null: nothing.' })
  writtenNumber!: string | null;

  @Field(() => String, { description: 'Why it waits.' })
  problem!: string;

  @Field(() => String, { nullable: true, description: "The source's own id of it." })
  externalId!: string | null;

  @Field(() => Date, { description: 'When it came.' })
  createdAt!: Date;
}

export const HeldSubmissionConnection = connectionType(HeldSubmission, 'HeldSubmission');

@InputType({ description: 'How the calls of a form are signed, by an HMAC.' })
export class LeadSourceHmacInput {
  @Field(() => String, { description: 'The header with the signature. Its value may begin with `sha256=`.' })
  header!: string;

  @Field(() => String, { description: '`sha256`, `sha512` or `sha1`.' })
  algorithm!: string;

  @Field(() => String, { description: '`hex` or `base64`.' })
  encoding!: string;

  @Field(() => String, { description: 'The secret: 8 to 200 characters. Kept encrypted.' })
  secret!: string;

  @Field(() => HmacSchemeEnum, { nullable: true, description: 'What is signed: BODY where it is left out.' })
  scheme?: HmacScheme | null;

  @Field(() => String, { nullable: true, description: hmacTexts.timestampHeader })
  timestampHeader?: string | null;

  @Field(() => Int, { nullable: true, description: hmacTexts.toleranceSeconds })
  toleranceSeconds?: number | null;
}

const texts = {
  key: 'GOOGLE: the `google_key` that is entered at Google. META: a verify token of your own, beside `webhookVerifyToken`. 8 to 200 characters; kept encrypted.',
  appSecret: "META: the app's secret, which signs its calls. Kept encrypted.",
  accessToken: 'META: a token that may read leads (`leads_retrieval`). Kept encrypted.',
  baseUrl: "META: where the Graph API is; left out: Meta's own address.",
  mapping:
    'JSON pointers to fields: `{"/phone": "chat"}`. Fields are `chat`, `name`, `firstName`, `lastName`, `source`, `country`, `externalId`, `tags`, `customFields.<name>`, `consent.<key>` and names in the metadata. Left out: the usual one of the kind.',
  hmac: 'FORM: how its calls are signed; left out: they are taken without a signature.',
  formIds: `META: forms to read for missed leads, ${maxForms} at most. Those that calls name are read as well.`,
};

@InputType()
abstract class LeadSourceInput {
  @Field(() => String, { nullable: true, description: texts.key })
  key?: string | null;

  @Field(() => String, { nullable: true, description: texts.appSecret })
  appSecret?: string | null;

  @Field(() => String, { nullable: true, description: texts.accessToken })
  accessToken?: string | null;

  @Field(() => [ID], { nullable: true, description: texts.formIds })
  formIds?: string[] | null;
}

@InputType({ description: `A new lead source; a tenant has ${maxLeadSources} at most.` })
export class CreateLeadSourceInput extends LeadSourceInput implements CreateLeadSourceShape {
  @Field(() => LeadSourceKindEnum, { description: 'What it is.' })
  kind!: LeadSourceKind;

  @Field(() => String, { description: 'Its name, in at most 100 characters: the source of its leads.' })
  name!: string;

  @Field(() => String, { nullable: true, description: texts.baseUrl })
  baseUrl?: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: texts.mapping })
  mapping?: Record<string, unknown> | null;

  @Field(() => LeadSourceHmacInput, { nullable: true, description: texts.hmac })
  hmac?: LeadSourceHmacInput | null;
}

@InputType({ description: 'What to change; fields that are left out stay as they are.' })
export class UpdateLeadSourceInput extends LeadSourceInput implements UpdateLeadSourceShape {
  @Field(() => String, { nullable: true, description: 'Its name, in at most 100 characters.' })
  name?: string;

  @Field(() => String, { nullable: true, description: `${texts.baseUrl} Another one needs the token again.` })
  baseUrl?: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: `${texts.mapping} Null: the usual one again.` })
  mapping?: Record<string, unknown> | null;

  @Field(() => LeadSourceHmacInput, { nullable: true, description: `${texts.hmac} Null: without a signature again.` })
  hmac?: LeadSourceHmacInput | null;

  @Field(() => Date, {
    nullable: true,
    description: `META: its forms are read now for leads since then, ${maxReadBackDays} days back at most.`,
  })
  readSince?: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The version that the change was made for: CONFLICT where the source has been changed since.',
  })
  expectedVersion?: number | null;
}
