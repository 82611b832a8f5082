// GraphQL types of templates.

import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { countedConnectionType } from '../../platform/relay.type.js';
import type { TemplateVariable as TemplateVariableShape } from './template-text.js';
import type {
  CreateTemplateInput as CreateTemplateShape,
  TemplateFilter as TemplateFilterShape,
  UpdateTemplateInput as UpdateTemplateShape,
} from './template.schema.js';
import type { RenderedTemplateRecord, TemplateRow, TemplateVersionRow } from './template.service.js';

@ObjectType({ description: 'A variable that a template asks for.' })
export class TemplateVariable implements TemplateVariableShape {
  @Field(() => String, { description: 'What it is given by.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What stands in where there is no value; null where there has to be one.',
  })
  default!: string | null;

  @Field(() => Boolean, { description: 'Whether the lead brings it. What is given by hand goes before it.' })
  isLeadField!: boolean;
}

@ObjectType({ description: 'A text to send again and again, with variables.' })
export class Template implements Omit<TemplateRow, 'tenantId'> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'Name, unique in the tenant.' })
  name!: string;

  @Field(() => String, { description: 'The text as it was written, with its variables.' })
  body!: string;

  @Field(() => Int, { description: "The body's version: 1 at first, and 1 more with each change of the body." })
  version!: number;

  @Field(() => Date, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  updatedAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When it was deleted: only messages that were made of it still lead here.',
  })
  deletedAt!: Date | null;
}

export const TemplateConnection = countedConnectionType(Template, 'Template');

@ObjectType({ description: 'A body that a template has, or had.' })
export class TemplateVersion implements Omit<TemplateVersionRow, 'templateId' | 'authorId'> {
  @Field(() => Int, { description: 'Counts up from 1.' })
  version!: number;

  @Field(() => String, { description: 'The text, with its variables.' })
  body!: string;

  @Field(() => Date, { description: 'When it was written.' })
  createdAt!: Date;
}

@ObjectType({ description: 'What a template says with these variables.' })
export class RenderedTemplate implements RenderedTemplateRecord {
  @Field(() => Int, { description: 'The version that was rendered.' })
  version!: number;

  @Field(() => String, { nullable: true, description: 'The text; null where variables are missing.' })
  body!: string | null;

  @Field(() => [String], {
    description: 'Variables without a value and without a default: with these missing, nothing can be sent.',
  })
  missing!: string[];
}

@InputType({ description: 'Which templates to list: all given conditions have to hold.' })
export class TemplateFilter implements TemplateFilterShape {
  @Field(() => String, { nullable: true, description: 'Exactly this name.' })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Found anywhere in the name, in any letter case; at most 100 characters.',
  })
  search?: string | null;
}

const bodyDescription =
  'The text, at most 4,096 characters. `{{name}}` is a variable, `{{name | text}}` one with a default, `{{lead.name}}`, ' +
  '`{{lead.firstName}}`, `{{lead.chat}}`, `{{lead.source}}`, `{{lead.metadata.key}}` and `{{lead.customFields.name}}` are fields of the lead, and ' +
  '`{{"{{"}}` writes two braces. At most 100 different variables.';

@InputType({ description: 'A new template.' })
export class CreateTemplateInput implements CreateTemplateShape {
  @Field(() => String, { description: 'Name, unique in the tenant, at most 100 characters.' })
  name!: string;

  @Field(() => String, { description: bodyDescription })
  body!: string;
}

@InputType({ description: 'What to change; fields that are left out stay as they are.' })
export class UpdateTemplateInput implements UpdateTemplateShape {
  @Field(() => String, { nullable: true, description: 'Name, unique in the tenant, at most 100 characters.' })
  name?: string;

  @Field(() => String, { nullable: true, description: bodyDescription })
  body?: string;

  @Field(() => Int, {
    nullable: true,
    description: 'The version that the change was made for: CONFLICT where the body has been changed since.',
  })
  expectedVersion?: number | null;
}
