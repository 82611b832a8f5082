// Makes one OpenAPI 3.1 document of the routes' descriptions. The parts that all routes have in common stand here: headers, credentials,
// and the problems that any of them may answer with.

import { z } from 'zod';
import { errorExplanations } from '../../platform/error-explanations.js';
import { errorTable, type ErrorCode } from '../../platform/errors.js';
import type {
  Credential,
  RouteAnswer,
  RouteBody,
  RouteDescription,
  RouteExample,
  RouteParameter,
} from '../../platform/http/route-description.js';
import { problemSchema } from './error-to-http.js';

type Json = Record<string, unknown>;

const ofEveryRoute: ErrorCode[] = ['RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'];
const ofEveryBody: ErrorCode[] = ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

const securitySchemes: Record<Credential, Json> = {
  tenantKey: { type: 'apiKey', in: 'header', name: 'x-tenant-key', description: "The tenant's API key." },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'x-signature',
    description: '`sha256=` and the lowercase hexadecimal HMAC-SHA256 of the body, keyed with CHAT_WEBHOOK_SECRET.',
  },
  wahaSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Hmac',
    description:
      "The hexadecimal HMAC-SHA512 of the body's bytes, keyed with the webhook secret of the instance that the call is for.",
  },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of `POST /auth/token`.' },
  networkSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Hub-Signature-256',
    description:
      "`sha256=` and the lowercase hexadecimal HMAC-SHA256 of the body's bytes, keyed with Meta's app secret.",
  },
};

const headers: Record<string, Json> = {
  'x-request-id': { description: "Finds the request in the log; a well-formed one of the caller's is kept." },
  RateLimit: { description: 'What is left of the limit (`r`), and the seconds until its window ends (`t`).' },
  'RateLimit-Policy': { description: 'The limit (`q`) and its window in seconds (`w`).' },
  'Retry-After': { description: 'Seconds until a retry can succeed.' },
};

/** @param version the service's own */
export function toOpenApi(descriptions: readonly RouteDescription[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const description of descriptions) {
    const operations = (paths[description.path.replace(/:(\w+)/g, '{$1}')] ??= {});
    operations[description.method] = operationOf(description);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Leadwire',
      version,
      description:
        'The REST routes of a multi-tenant lead intake and chat service. What operators do is GraphQL, at `/graphql`. Each limited call is ' +
        'counted for its tenant key, its user, or else its address.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(descriptions.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes,
      schemas: { Problem: jsonSchemaOf(problemSchema) },
      headers: mapValues(headers, (header) => ({ ...header, schema: { type: 'string' } })),
    },
  };
}

function operationOf(route: RouteDescription): Json {
  const { operationId, summary, description, tag, credentials, parameters, body, answers } = route;
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    security: credentials.map((together) => Object.fromEntries(together.map((credential) => [credential, []]))),
    ...(parameters === undefined ? {} : { parameters: parameters.map(parameterOf) }),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body) }),
    responses: {
      ...mapValues(answers, (answer) => responseOf(answer, route)),
      ...problemResponsesOf(route),
    },
  };
}

function parameterOf({ name, in: place, description, schema, example, json, required }: RouteParameter): Json {
  const value = { schema: jsonSchemaOf(schema), ...(example === undefined ? {} : { example }) };
  const content = json === true ? { content: { 'application/json': value } } : value;
  return { name, in: place, description, required: place === 'path' || required === true, ...content };
}

function requestBodyOf({ type, schema, maxBytes, examples }: RouteBody): Json {
  const media = { schema: jsonSchemaOf(schema), examples: mapValues(examples, exampleOf) };
  return { required: true, description: `At most ${maxBytes / 1024} KiB.`, content: { [type]: media } };
}

function exampleOf({ summary, value, status }: RouteExample): Json {
  return { summary, value, 'x-status': status };
}

function responseOf({ description, type = 'application/json', schema }: RouteAnswer, route: RouteDescription): Json {
  return { description, headers: headersOf(route), content: { [type]: { schema: jsonSchemaOf(schema) } } };
}

// Codes of one status share a response.
function problemResponsesOf(route: RouteDescription): Json {
  const codes = [...route.problems, ...(route.body === undefined ? [] : ofEveryBody)];
  if (route.unlimited !== true) codes.push(...ofEveryRoute);
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [status, problemResponseOf(ofStatus, status, route)]),
  );
}

function problemResponseOf(codes: readonly ErrorCode[], status: number, route: RouteDescription): Json {
  const retries = status === 429 || status === 503;
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }],
  };
  return {
    description: codes.map(describeCode).join(' '),
    headers: { ...headersOf(route), ...(retries ? headersNamed(['Retry-After']) : {}) },
    content: { 'application/problem+json': { schema } },
  };
}

function describeCode(code: ErrorCode): string {
  const { repeat } = errorExplanations[code];
  return `\`${code}\`: ${errorTable[code].title}. Repeat: ${repeat}${repeat.endsWith('…') ? '' : '.'}`;
}

function headersOf({ unlimited }: RouteDescription): Json {
  return headersNamed(['x-request-id', ...(unlimited === true ? [] : ['RateLimit', 'RateLimit-Policy'])]);
}

function headersNamed(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Writes a schema as a caller sends it, and reads it: the service's own transformations are left out. */
function jsonSchemaOf(schema: z.ZodType): Json {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: written }) => {
      // A schema of both APIs takes a Date of GraphQL too: JSON has its text.
      if (zodSchema._zod.def.type === 'date') Object.assign(written, { type: 'string', format: 'date-time' });
      // The pattern says at length what the format's name says already.
      if (written.format === 'date-time' || written.format === 'uuid') delete written.pattern;
    },
  });
  return jsonSchema;
}

function mapValues<Value, Mapped>(record: Readonly<Record<string, Value>>, map: (value: Value) => Mapped) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
