/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A new template. */
export type CreateTemplateInput = {
  /** The text, at most 4,096 characters. `{{name}}` is a variable, `{{name | text}}` one with a default, `{{lead.name}}`, `{{lead.firstName}}`, `{{lead.chat}}`, `{{lead.source}}`, `{{lead.metadata.key}}` and `{{lead.customFields.name}}` are fields of the lead, and `{{"{{"}}` writes two braces. At most 100 different variables. */
  body: string;
  /** Uploads (`POST /media`) that go with the text when it is sent, in this order: at most 10. They are kept for as long as the template has them. */
  fileIds?: Array<string | number> | null | undefined;
  /** Name, unique in the tenant, at most 100 characters. */
  name: string;
  /** The word that inserts it after a slash, unique in the tenant in any letter case: at most 32 letters, digits, `_` and `-`. It is stored in lower case. */
  shortcut?: string | null | undefined;
  /** The users who may use it. SHARED by default. */
  visibility?: TemplateVisibility | null | undefined;
};

/** Which templates to list. All conditions have to hold. */
export type TemplateFilter = {
  /** Only those that this user created; for an ADMIN the user's PERSONAL ones too. */
  authorId?: string | number | null | undefined;
  /** Exactly this name. */
  name?: string | null | undefined;
  /** A part of the name or of the shortcut, in any letter case; at most 100 characters. */
  search?: string | null | undefined;
  /** Exactly this shortcut, in any letter case. */
  shortcut?: string | null | undefined;
  /** Only these. */
  visibility?: TemplateVisibility | null | undefined;
};

/** The users who see, change and use a template. */
export type TemplateVisibility =
  /** Its author alone. ADMINs see it by its id or under its author, and may change, share and delete it; they do not send it. */
  | 'PERSONAL'
  /** Every user of the tenant. */
  | 'SHARED';

/** What to change; fields that are left out stay as they are. */
export type UpdateTemplateInput = {
  /** The text, at most 4,096 characters. `{{name}}` is a variable, `{{name | text}}` one with a default, `{{lead.name}}`, `{{lead.firstName}}`, `{{lead.chat}}`, `{{lead.source}}`, `{{lead.metadata.key}}` and `{{lead.customFields.name}}` are fields of the lead, and `{{"{{"}}` writes two braces. At most 100 different variables. */
  body?: string | null | undefined;
  /** The version that the change is based on. CONFLICT if the body has changed since. */
  expectedVersion?: number | null | undefined;
  /** All files from now on. Uploads (`POST /media`) that go with the text when it is sent, in this order: at most 10. They are kept for as long as the template has them. */
  fileIds?: Array<string | number> | null | undefined;
  /** Name, unique in the tenant, at most 100 characters. */
  name?: string | null | undefined;
  /** The word that inserts it after a slash, unique in the tenant in any letter case: at most 32 letters, digits, `_` and `-`. It is stored in lower case. Null removes it. */
  shortcut?: string | null | undefined;
  /** The users who may use it. Only its author makes it PERSONAL; FORBIDDEN otherwise. */
  visibility?: TemplateVisibility | null | undefined;
};

export type TemplateListQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: TemplateFilter | null | undefined;
}>;


export type TemplateListQuery = { templates: { edges: Array<{ node: { id: string, name: string, body: string, version: number, shortcut: string | null, visibility: TemplateVisibility, updatedAt: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type WholeTemplateQueryVariables = Exact<{
  id: string | number;
}>;


export type WholeTemplateQuery = { template: { id: string, name: string, body: string, version: number, shortcut: string | null, visibility: TemplateVisibility, createdAt: string, updatedAt: string, author: { id: string } | null, files: Array<{ id: string, mimeType: string, fileName: string | null, size: number, url: string }>, versions: Array<{ version: number, createdAt: string, author: { name: string | null, email: string } | null }> } | null };

export type EditedTemplateFragment = { id: string, name: string, body: string, version: number, shortcut: string | null, visibility: TemplateVisibility, createdAt: string, updatedAt: string, author: { id: string } | null, files: Array<{ id: string, mimeType: string, fileName: string | null, size: number, url: string }>, versions: Array<{ version: number, createdAt: string, author: { name: string | null, email: string } | null }> };

export type TemplateVersionsQueryVariables = Exact<{
  id: string | number;
  before?: number | null | undefined;
}>;


export type TemplateVersionsQuery = { template: { id: string, versions: Array<{ version: number, body: string, createdAt: string, author: { name: string | null, email: string } | null }> } | null };

export type TemplateSamplesQueryVariables = Exact<{
  search?: string | null | undefined;
}>;


export type TemplateSamplesQuery = { leads: { edges: Array<{ node: { id: string, name: string, chat: string | null, source: string, metadata: Record<string, unknown> | null, customFields: Record<string, unknown> } }> } };

export type AddTemplateMutationVariables = Exact<{
  input: CreateTemplateInput;
}>;


export type AddTemplateMutation = { createTemplate: { id: string, name: string, body: string, version: number, shortcut: string | null, visibility: TemplateVisibility, createdAt: string, updatedAt: string, author: { id: string } | null, files: Array<{ id: string, mimeType: string, fileName: string | null, size: number, url: string }>, versions: Array<{ version: number, createdAt: string, author: { name: string | null, email: string } | null }> } };

export type ChangeTemplateMutationVariables = Exact<{
  id: string | number;
  input: UpdateTemplateInput;
}>;


export type ChangeTemplateMutation = { updateTemplate: { id: string, name: string, body: string, version: number, shortcut: string | null, visibility: TemplateVisibility, createdAt: string, updatedAt: string, author: { id: string } | null, files: Array<{ id: string, mimeType: string, fileName: string | null, size: number, url: string }>, versions: Array<{ version: number, createdAt: string, author: { name: string | null, email: string } | null }> } };

export type RemoveTemplateMutationVariables = Exact<{
  id: string | number;
}>;


export type RemoveTemplateMutation = { deleteTemplate: string };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const EditedTemplateFragmentDoc = new TypedDocumentString(`
    fragment EditedTemplate on Template {
  id
  name
  body
  version
  shortcut
  visibility
  author {
    id
  }
  files {
    id
    mimeType
    fileName
    size
    url
  }
  createdAt
  updatedAt
  versions(first: 1) {
    version
    createdAt
    author {
      name
      email
    }
  }
}
    `, {"fragmentName":"EditedTemplate"}) as unknown as TypedDocumentString<EditedTemplateFragment, unknown>;
export const TemplateListDocument = new TypedDocumentString(`
    query TemplateList($first: Int, $after: String, $filter: TemplateFilter) {
  templates(first: $first, after: $after, filter: $filter) {
    edges {
      node {
        id
        name
        body
        version
        shortcut
        visibility
        updatedAt
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<TemplateListQuery, TemplateListQueryVariables>;
export const WholeTemplateDocument = new TypedDocumentString(`
    query WholeTemplate($id: ID!) {
  template(id: $id) {
    ...EditedTemplate
  }
}
    fragment EditedTemplate on Template {
  id
  name
  body
  version
  shortcut
  visibility
  author {
    id
  }
  files {
    id
    mimeType
    fileName
    size
    url
  }
  createdAt
  updatedAt
  versions(first: 1) {
    version
    createdAt
    author {
      name
      email
    }
  }
}`) as unknown as TypedDocumentString<WholeTemplateQuery, WholeTemplateQueryVariables>;
export const TemplateVersionsDocument = new TypedDocumentString(`
    query TemplateVersions($id: ID!, $before: Int) {
  template(id: $id) {
    id
    versions(first: 20, before: $before) {
      version
      body
      createdAt
      author {
        name
        email
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TemplateVersionsQuery, TemplateVersionsQueryVariables>;
export const TemplateSamplesDocument = new TypedDocumentString(`
    query TemplateSamples($search: String) {
  leads(first: 8, filter: {search: $search}) {
    edges {
      node {
        id
        name
        chat
        source
        metadata
        customFields
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TemplateSamplesQuery, TemplateSamplesQueryVariables>;
export const AddTemplateDocument = new TypedDocumentString(`
    mutation AddTemplate($input: CreateTemplateInput!) {
  createTemplate(input: $input) {
    ...EditedTemplate
  }
}
    fragment EditedTemplate on Template {
  id
  name
  body
  version
  shortcut
  visibility
  author {
    id
  }
  files {
    id
    mimeType
    fileName
    size
    url
  }
  createdAt
  updatedAt
  versions(first: 1) {
    version
    createdAt
    author {
      name
      email
    }
  }
}`) as unknown as TypedDocumentString<AddTemplateMutation, AddTemplateMutationVariables>;
export const ChangeTemplateDocument = new TypedDocumentString(`
    mutation ChangeTemplate($id: ID!, $input: UpdateTemplateInput!) {
  updateTemplate(id: $id, input: $input) {
    ...EditedTemplate
  }
}
    fragment EditedTemplate on Template {
  id
  name
  body
  version
  shortcut
  visibility
  author {
    id
  }
  files {
    id
    mimeType
    fileName
    size
    url
  }
  createdAt
  updatedAt
  versions(first: 1) {
    version
    createdAt
    author {
      name
      email
    }
  }
}`) as unknown as TypedDocumentString<ChangeTemplateMutation, ChangeTemplateMutationVariables>;
export const RemoveTemplateDocument = new TypedDocumentString(`
    mutation RemoveTemplate($id: ID!) {
  deleteTemplate(id: $id)
}
    `) as unknown as TypedDocumentString<RemoveTemplateMutation, RemoveTemplateMutationVariables>;