// GraphQL types of users.

import { Authorized, Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { Role } from '../../platform/prisma/enums.js';
import { countedConnectionType } from '../../platform/graphql/relay.type.js';
import { maxOptOutReplyLength } from '../tenants/tenant.schema.js';
import { ChatRateLimitInput, keywordBounds } from '../tenants/tenant.type.js';
import type {
  CreateTenantWithAdminInput,
  CreateUserInput as CreateUserShape,
  UpdateProfileInput as UpdateProfileShape,
  UpdateUserInput as UpdateUserShape,
  UserFilter as UserFilterShape,
} from './user.schema.js';
import type { UserRecord } from './user.sql.js';

registerEnumType(Role, {
  name: 'Role',
  description: 'What a user may do.',
  valuesConfig: {
    ADMIN: { description: 'Everything in the own tenant.' },
    OPERATOR: { description: 'Leads, messages, templates and dashboards.' },
  },
});

@ObjectType({ description: 'A colleague: a user of the same tenant.' })
export class User implements Omit<UserRecord, 'tenantId' | 'accountId' | 'accountName'> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'E-mail address.' })
  email!: string;

  @Field(() => Role, { description: 'What this user may do.' })
  role!: Role;

  @Field(() => String, { nullable: true, description: 'The name that colleagues see.' })
  name!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The user’s name in the signature of messages; null: the name.',
  })
  displayName!: string | null;

  @Authorized('ADMIN')
  @Field(() => String, {
    nullable: true,
    description: "ADMIN: the identity provider's subject; null until the first sign-in binds it.",
  })
  idpSub!: string | null;

  @Authorized('ADMIN')
  @Field(() => Boolean, { description: 'ADMIN: whether this user may come in.' })
  isActive!: boolean;

  @Authorized('ADMIN')
  @Field(() => Date, { description: 'ADMIN: when the user was created.' })
  createdAt!: Date;

  @Authorized('ADMIN')
  @Field(() => Date, { description: 'ADMIN: when the user was last changed.' })
  updatedAt!: Date;
}

export const UserConnection = countedConnectionType(User, 'User');

@InputType({ description: 'Which users to list: all given conditions have to hold.' })
export class UserFilter implements UserFilterShape {
  @Field(() => Role, { nullable: true, description: 'Who may do this.' })
  role?: Role | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'ADMIN: whether they may come in. Others only ever see those who may.',
  })
  isActive?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Found anywhere in the e-mail address or the name, in any letter case; at most 100 characters.',
  })
  search?: string | null;
}

const displayNameDescription =
  'The user’s name in the signature of messages, at most 100 characters. Line breaks and marks of formatting (`*_~`) are left out there.';

@InputType({ description: 'A new user, with an account.' })
export class CreateUserInput implements CreateUserShape {
  @Field(() => String, { description: 'E-mail address, unique in the tenant; the first sign-in can be bound to it.' })
  email!: string;

  @Field(() => Role, { description: 'What the user may do.' })
  role!: Role;

  @Field(() => String, {
    nullable: true,
    description:
      "ADMINs of the platform tenant: the identity provider's subject, unique in the service, at most 255 characters. Without it the first sign-in is bound to the e-mail address.",
  })
  idpSub?: string | null;

  @Field(() => String, { nullable: true, description: 'The name that colleagues see, at most 200 characters.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: displayNameDescription })
  displayName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The account's name, at most 200 characters; the user's name or e-mail address where none is given.",
  })
  accountName?: string | null;

  @Field(() => ID, { nullable: true, description: 'ADMINs of the platform tenant: the tenant to create the user in.' })
  tenantId?: string | null;
}

@InputType({ description: 'What to change; fields that are left out stay as they are.' })
export class UpdateUserInput implements UpdateUserShape {
  @Field(() => String, { nullable: true, description: 'E-mail address, unique in the tenant.' })
  email?: string;

  @Field(() => Role, { nullable: true, description: 'What the user may do.' })
  role?: Role;

  @Field(() => Boolean, { nullable: true, description: 'Whether the user may come in; false ends open sessions.' })
  isActive?: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      "ADMINs of the platform tenant: the identity provider's subject, at most 255 characters; a change ends open sessions. ADMINs: null, and the next sign-in is bound to the e-mail address.",
  })
  idpSub?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The name that colleagues see, at most 200 characters; null takes it away.',
  })
  name?: string | null;

  @Field(() => String, { nullable: true, description: `${displayNameDescription} Null removes it.` })
  displayName?: string | null;

  @Field(() => String, { nullable: true, description: "The account's name, at most 200 characters." })
  accountName?: string;
}

@InputType({ description: 'The changes of the own user; fields that are left out stay as they are.' })
export class UpdateProfileInput implements UpdateProfileShape {
  @Field(() => String, { nullable: true, description: `${displayNameDescription} Null removes it.` })
  displayName?: string | null;
}

@InputType({ description: 'A new tenant, with its first ADMIN where one is named.' })
export class CreateTenantInput implements CreateTenantWithAdminInput {
  @Field(() => String, { description: 'Display name, at most 200 characters.' })
  name!: string;

  @Field(() => String, {
    description: 'Short name, unique in the service: 1 to 63 lower-case letters, digits and inner hyphens.',
  })
  slug!: string;

  @Field(() => ChatRateLimitInput, { nullable: true, description: 'How fast messages may leave; unlimited without.' })
  chatRateLimit?: ChatRateLimitInput | null;

  @Field(() => String, { nullable: true, description: 'Source of leads that name none, at most 100 characters.' })
  webhookSourceLabel?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Whose numbers national writings are: ISO 3166-1 alpha-2, such as `BR`.',
  })
  defaultCountry?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: `All words that opt out: ${keywordBounds} Left out: those that every tenant begins with.`,
  })
  optOutKeywords?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: `All words that opt in: ${keywordBounds} Left out: those that every tenant begins with.`,
  })
  optInKeywords?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: `Answers a keyword that opts out, at most ${maxOptOutReplyLength} characters; no answer without.`,
  })
  optOutReply?: string | null;

  @Field(() => String, { nullable: true, description: "The first ADMIN's e-mail address." })
  adminEmail?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The first ADMIN's subject at the identity provider; with adminEmail only.",
  })
  adminIdpSub?: string | null;
}

@ObjectType({ description: "A user's account: what chat instances belong to." })
export class Account {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'Display name.' })
  name!: string;
}
