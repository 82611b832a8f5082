// GraphQL types of tenants. A resolver reads the API key apart from the record.

import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { countedConnectionType } from '../../platform/graphql/relay.type.js';
import { maxKeywordLength } from './keyword-form.js';
import { maxSignatureFormatLength } from './message-signature.js';
import {
  assistantModes,
  maxKeywords,
  maxOptOutReplyLength,
  signatureModes,
  type AssistantMode,
  type SignatureMode,
  type UpdateTenantInput as UpdateTenantShape,
} from './tenant.schema.js';
import type { OwnTenant as OwnTenantShape, TenantRecord } from './tenant.service.js';
import { Dated } from '../../platform/graphql/dated.type.js';

const AssistantModeEnum = enumOf(
  'AssistantMode',
  "What assistants of a tenant's users may do (Model Context Protocol, `POST /mcp`).",
  assistantModes,
);

const SignatureModeEnum = enumOf(
  'SignatureMode',
  'The place of the signature in texts and captions that users write. Bulk sends, channel templates, automatic texts and replies of assistants have none.',
  signatureModes,
);

@ObjectType({ description: 'How fast messages may leave.' })
export class ChatRateLimit implements NonNullable<TenantRecord['chatRateLimit']> {
  @Field(() => Int, { description: 'At most this many sends' })
  max!: number;

  @Field(() => Int, { description: 'in any window of this many milliseconds.' })
  durationMs!: number;
}

@ObjectType({ description: 'A customer of the service. Every record belongs to one.' })
export class Tenant extends Dated implements TenantRecord {
  @Field(() => String, { description: 'Display name.' })
  name!: string;

  @Field(() => String, { description: 'Short name, unique in the service.' })
  slug!: string;

  @Field(() => Boolean, {
    description: 'While false, no user and no API key of it gets in, and nothing is sent for it.',
  })
  isActive!: boolean;

  @Field(() => Boolean, { description: 'Whether it is the platform tenant, whose ADMINs create tenants.' })
  isPlatform!: boolean;

  @Field(() => ChatRateLimit, { nullable: true, description: 'How fast messages may leave; null: unlimited.' })
  chatRateLimit!: ChatRateLimit | null;

  @Field(() => String, { nullable: true, description: 'Source of leads that name none.' })
  webhookSourceLabel!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Whose numbers national writings are: ISO 3166-1 alpha-2. Null: posted numbers need a country code.',
  })
  defaultCountry!: string | null;
  @Field(() => [String], {
    description: 'An inbound text that is one of these, as a whole, opts its lead out of bulk and scheduled messages.',
  })
  optOutKeywords!: string[];

  @Field(() => [String], { description: 'An inbound text that is one of these, as a whole, opts its lead in again.' })
  optInKeywords!: string[];

  @Field(() => String, { nullable: true, description: 'Answers a keyword that opts out, once; null: no answer.' })
  optOutReply!: string | null;

  @Field(() => Boolean, {
    description: 'Whether leads see that an operator has read what they wrote, where the gateway can show it.',
  })
  sendsReadReceipts!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether leads see that an operator is typing, where the gateway can show it. With the Cloud API, that also tells them that their last message was read: it needs sendsReadReceipts too.',
  })
  showsTyping!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether the gateway is asked, before the first message to a lead that never wrote, whether the number is on the channel.',
  })
  checksNumbers!: boolean;

  @Field(() => Boolean, {
    description: 'Whether notifications of browsers say what was written, and not only who wrote.',
  })
  pushesText!: boolean;

  @Field(() => AssistantModeEnum, { description: "What assistants of the tenant's users may do." })
  assistants!: AssistantMode;

  @Field(() => SignatureModeEnum, { description: 'The place of the signature in texts that users write.' })
  signature!: SignatureMode;

  @Field(() => String, { description: 'The format of the signature, such as `*{{operator.displayName}}:*`.' })
  signatureFormat!: string;
}

@ObjectType({ description: 'The own tenant, as every role may see it.' })
export class OwnTenant implements OwnTenantShape {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'Display name.' })
  name!: string;

  @Field(() => String, { description: 'Short name, unique in the service.' })
  slug!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Whose numbers national writings are: ISO 3166-1 alpha-2.',
  })
  defaultCountry!: string | null;
}

export const TenantConnection = countedConnectionType(Tenant, 'Tenant');

@InputType({ description: 'How fast messages may leave.' })
export class ChatRateLimitInput implements NonNullable<TenantRecord['chatRateLimit']> {
  @Field(() => Int, { description: 'At most this many sends, 1 to 1,000,000,' })
  max!: number;

  @Field(() => Int, { description: 'in any window of this many milliseconds, 100 to 86,400,000.' })
  durationMs!: number;
}

export const keywordBounds = `at most ${maxKeywords} of at most ${maxKeywordLength} characters. Letter case, accents and a final \`.\` or \`!\` do not count. An empty list switches them off.`;

@InputType({ description: 'What to change; fields that are left out stay as they are.' })
export class UpdateTenantInput implements UpdateTenantShape {
  @Field(() => String, { nullable: true, description: 'Display name, at most 200 characters.' })
  name?: string;

  @Field(() => String, {
    nullable: true,
    description:
      'ADMINs of the platform tenant: short name, unique in the service: 1 to 63 lower-case letters, digits and inner hyphens.',
  })
  slug?: string;

  @Field(() => ChatRateLimitInput, { nullable: true, description: 'How fast messages may leave; null: unlimited.' })
  chatRateLimit?: ChatRateLimitInput | null;

  @Field(() => String, {
    nullable: true,
    description: 'Source of leads that name none, at most 100 characters; null takes it away.',
  })
  webhookSourceLabel?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Whose numbers national writings are: ISO 3166-1 alpha-2, such as `BR`; null takes it away. Leads that are here stay as they are.',
  })
  defaultCountry?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'ADMINs of the platform tenant: switch the tenant off or on.' })
  isActive?: boolean;

  @Field(() => [String], { nullable: true, description: `All words that opt out from now on: ${keywordBounds}` })
  optOutKeywords?: string[];

  @Field(() => [String], { nullable: true, description: `All words that opt in from now on: ${keywordBounds}` })
  optInKeywords?: string[];

  @Field(() => String, {
    nullable: true,
    description: `Answers a keyword that opts out, at most ${maxOptOutReplyLength} characters; null takes it away.`,
  })
  optOutReply?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether leads see that an operator has read what they wrote. Off in a new tenant.',
  })
  sendsReadReceipts?: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether leads see that an operator is typing. Off in a new tenant.',
  })
  showsTyping?: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the gateway is asked for a number before the first message to it. Off in a new tenant: it costs a call for each first message.',
  })
  checksNumbers?: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether notifications of browsers say what was written. Off in a new tenant: a locked screen may show it to anybody.',
  })
  pushesText?: boolean;

  @Field(() => AssistantModeEnum, {
    nullable: true,
    description: "What assistants of the tenant's users may do. OFF in a new tenant.",
  })
  assistants?: AssistantMode;
  @Field(() => SignatureModeEnum, {
    nullable: true,
    description: 'The place of the signature in texts that users write. OFF in a new tenant.',
  })
  signature?: SignatureMode;

  @Field(() => String, {
    nullable: true,
    description: `The format of the signature, at most ${maxSignatureFormatLength} characters: text with \`{{operator.displayName}}\`. Null restores the default: \`*{{operator.displayName}}:*\`.`,
  })
  signatureFormat?: string | null;
}
