// GraphQL types of templates.

import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { countedConnectionType } from '../../platform/graphql/relay.type.js';
import type { TemplateVariable as TemplateVariableShape } from './template-text.js';
import {
  maxShortcutLength,
  maxTemplateFiles,
  templateVisibilities,
  type CreateTemplateInput as CreateTemplateShape,
  type TemplateFilter as TemplateFilterShape,
  type TemplateVisibility,
  type UpdateTemplateInput as UpdateTemplateShape,
} from './template.schema.js';
import type { RenderedTemplateRecord, TemplateRow, TemplateVersionRow } from './template.service.js';
import { Dated } from '../../platform/graphql/dated.type.js';

const TemplateVisibilityEnum = enumOf(
  'TemplateVisibility',
  'The users who see, change and use a template.',
  templateVisibilities,
);

@ObjectType({ description: 'A variable of a template.' })
export class TemplateVariable implements TemplateVariableShape {
  @Field(() => String, { description: 'The name.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The default value. Null if a value is required.',
  })
  default!: string | null;

  @Field(() => Boolean, { description: 'Whether the value comes from the lead. A value of the call precedes it.' })
  isLeadField!: boolean;
}

@ObjectType({ description: 'A text with variables that can be sent many times.' })
export class Template extends Dated implements Omit<TemplateRow, 'tenantId' | 'authorId'> {
  @Field(() => String, { description: 'Name, unique in the tenant.' })
  name!: string;

  @Field(() => String, { description: 'The text, with its variables.' })
  body!: string;

  @Field(() => Int, { description: 'The version of the body: 1 at first, and 1 more after each change of the body.' })
  version!: number;

  @Field(() => String, {
    nullable: true,
    description: 'The word that inserts it after a slash, in lower case; unique in the tenant. Null if it has none.',
  })
  shortcut!: string | null;

  @Field(() => TemplateVisibilityEnum, { description: 'The users who see, change and use it.' })
  visibility!: TemplateVisibility;

  @Field(() => Date, {
    nullable: true,
    description: 'When it was deleted. Null while it is in use. Only messages still refer to a deleted template.',
  })
  deletedAt!: Date | null;
}

export const TemplateConnection = countedConnectionType(Template, 'Template');

@ObjectType({ description: 'A current or former body of a template.' })
export class TemplateVersion implements Omit<TemplateVersionRow, 'templateId' | 'authorId'> {
  @Field(() => Int, { description: 'The number of the version, from 1.' })
  version!: number;

  @Field(() => String, { description: 'The text, with its variables.' })
  body!: string;

  @Field(() => Date, { description: 'When it was written.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A rendered template.' })
export class RenderedTemplate implements RenderedTemplateRecord {
  @Field(() => Int, { description: 'The version that was rendered.' })
  version!: number;

  @Field(() => String, { nullable: true, description: 'The text. Null if variables are missing.' })
  body!: string | null;

  @Field(() => [String], {
    description: 'Variables without a value and a default. Nothing can be sent without them.',
  })
  missing!: string[];
}

@InputType({ description: 'Which templates to list. All conditions have to hold.' })
export class TemplateFilter implements TemplateFilterShape {
  @Field(() => String, { nullable: true, description: 'Exactly this name.' })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A part of the name or of the shortcut, in any letter case; at most 100 characters.',
  })
  search?: string | null;

  @Field(() => String, { nullable: true, description: 'Exactly this shortcut, in any letter case.' })
  shortcut?: string | null;

  @Field(() => TemplateVisibilityEnum, { nullable: true, description: 'Only these.' })
  visibility?: TemplateVisibility | null;

  @Field(() => ID, {
    nullable: true,
    description: "Only those that this user created; for an ADMIN the user's PERSONAL ones too.",
  })
  authorId?: string | null;
}

const bodyDescription =
  'The text, at most 4,096 characters. `{{name}}` is a variable, `{{name | text}}` one with a default, `{{lead.name}}`, ' +
  '`{{lead.firstName}}`, `{{lead.chat}}`, `{{lead.source}}`, `{{lead.metadata.key}}` and `{{lead.customFields.name}}` are fields of the lead, and ' +
  '`{{"{{"}}` writes two braces. At most 100 different variables.';

const shortcutDescription = `The word that inserts it after a slash, unique in the tenant in any letter case: at most ${maxShortcutLength} letters, digits, \`_\` and \`-\`. It is stored in lower case.`;
const filesDescription = `Uploads (\`POST /media\`) that go with the text when it is sent, in this order: at most ${maxTemplateFiles}. They are kept for as long as the template has them.`;

@InputType({ description: 'A new template.' })
export class CreateTemplateInput implements CreateTemplateShape {
  @Field(() => String, { description: 'Name, unique in the tenant, at most 100 characters.' })
  name!: string;

  @Field(() => String, { description: bodyDescription })
  body!: string;

  @Field(() => String, { nullable: true, description: shortcutDescription })
  shortcut?: string | null;

  @Field(() => TemplateVisibilityEnum, { nullable: true, description: 'The users who may use it. SHARED by default.' })
  visibility?: TemplateVisibility | null;

  @Field(() => [ID], { nullable: true, description: filesDescription })
  fileIds?: string[] | null;
}

@InputType({ description: 'What to change; fields that are left out stay as they are.' })
export class UpdateTemplateInput implements UpdateTemplateShape {
  @Field(() => String, { nullable: true, description: 'Name, unique in the tenant, at most 100 characters.' })
  name?: string;

  @Field(() => String, { nullable: true, description: bodyDescription })
  body?: string;

  @Field(() => String, { nullable: true, description: `${shortcutDescription} Null removes it.` })
  shortcut?: string | null;

  @Field(() => TemplateVisibilityEnum, {
    nullable: true,
    description: 'The users who may use it. Only its author makes it PERSONAL; FORBIDDEN otherwise.',
  })
  visibility?: TemplateVisibility;

  @Field(() => [ID], { nullable: true, description: `All files from now on. ${filesDescription}` })
  fileIds?: string[];

  @Field(() => Int, {
    nullable: true,
    description: 'The version that the change is based on. CONFLICT if the body has changed since.',
  })
  expectedVersion?: number | null;
}
