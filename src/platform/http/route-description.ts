// The description of a REST route: each feature's *.openapi.ts describes its routes with these types, by the schemas that the routes
// validate with. transport/http/openapi.routes.ts makes one OpenAPI document of them.

import { z } from 'zod';
import type { ErrorCode } from '../errors.js';

/** `x-tenant-key`; `x-signature`; a Bearer token; Meta's `X-Hub-Signature-256`. */
export type Credential = 'tenantKey' | 'signature' | 'wahaSignature' | 'bearer' | 'networkSignature';

/** A call that can be sent as it stands, and the status of its answer. */
export interface RouteExample {
  summary: string;
  value: unknown;
  status: number;
}

export interface RouteBody {
  /** The content type. */
  type: string;
  schema: z.ZodType;
  maxBytes: number;
  /** The examples by name. */
  examples: Readonly<Record<string, RouteExample>>;
}

/** A parameter. A parameter of the query is optional unless it is said otherwise. `json`: it holds JSON, as text. */
export interface RouteParameter {
  name: string;
  in: 'path' | 'query';
  description: string;
  schema: z.ZodType;
  example?: unknown;
  json?: true;
  required?: true;
}

export interface RouteAnswer {
  description: string;
  /** The content type; `application/json` by default. */
  type?: string;
  schema: z.ZodType;
}

export interface RouteDescription {
  method: 'get' | 'post';
  /** The path in the router's form: `/tenants/:id`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** Alternatives, each of credentials that go together; none: open to everybody. */
  credentials: readonly (readonly Credential[])[];
  parameters?: readonly RouteParameter[];
  body?: RouteBody;
  /** The answers by status. */
  answers: Readonly<Record<number, RouteAnswer>>;
  /** The codes that it may refuse with, besides those of every route. */
  problems: readonly ErrorCode[];
  /** True if the rate limits neither count nor refuse its calls. */
  unlimited?: true;
}

/** A value as JSON carries it: times as text. */
export type Wire<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Wire<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Wire<Value[Key]> }
      : Value;

/** A time as answers carry it: ISO 8601 in UTC. */
export const wireTime = z.iso.datetime();

export const wireId = z.guid();

export const anyObject = z.record(z.string(), z.unknown());
