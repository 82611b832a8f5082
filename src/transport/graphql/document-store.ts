// Turns an operation's text into a document that may be executed, once for HTTP and sockets, and remembers it: parsed, within its limits,
// valid. The cost depends on the variables: operation-cost.ts judges it at each execution.

import { createHash } from 'node:crypto';
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { documentLimits, findExceededLimit, tokenCountOf, tooManyTokens } from './document-limit.js';

export interface DocumentStoreOptions {
  schema: GraphQLSchema;
  /** True if the schema may be asked for, and its names suggested. */
  introspection: boolean;
}

/** A document that may be executed, or the reasons why it may not. */
export type Prepared =
  { document: DocumentNode; refusals?: never } | { document?: never; refusals: readonly GraphQLError[] };

interface TrustedText {
  readonly text: string;
  prepared?: Prepared;
}

// The bytes of texts and their parsed form, by estimate: a token with its node and its part of the plan takes about 800 bytes.
const maxRememberedBytes = 32 * 1024 * 1024;
const bytesPerToken = 800;
// Further errors would be noise, and each one costs.
const maxValidationErrors = 10;

export class DocumentStore {
  private readonly prepared = new LRUCache<string, Prepared>({ maxSize: maxRememberedBytes });
  /** The texts of this service's own clients: those of strangers never push them out. */
  private readonly trusted = new Map<string, TrustedText>();
  private readonly rules;

  constructor(private readonly options: DocumentStoreOptions) {
    this.rules = options.introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  }

  /** Keeps these texts for good. Each is read at its first use, within the same limits as any other. @returns them by their hash */
  trust(texts: readonly string[]): Map<string, string> {
    const kept = new Map(texts.map((text) => [hashOf(text), text]));
    for (const [hash, text] of kept) this.trusted.set(hash, { text });
    return kept;
  }

  /** Reads the trusted texts before their first use. @returns the number of texts that the schema or a limit does not allow */
  readTrusted(): number {
    const refused = [...this.trusted.values()].filter((trusted) => this.readOnce(trusted).refusals !== undefined);
    return refused.length;
  }

  /** Prepares a text. Safe to repeat: a text that was prepared or refused lately is not looked at again. */
  prepare(text: string): Prepared {
    const hash = hashOf(text);
    const trusted = this.trusted.get(hash);
    if (trusted !== undefined) return this.readOnce(trusted);
    const known = this.prepared.get(hash);
    if (known !== undefined) return known;
    const prepared = this.read(text);
    const tokens = prepared.refusals === undefined ? tokenCountOf(prepared.document) : documentLimits.tokens;
    this.prepared.set(hash, prepared, { size: 2 * text.length + bytesPerToken * tokens });
    return prepared;
  }

  /** Finds a document that was prepared lately, by the SHA-256 of its text in hexadecimal. */
  find(hash: string): DocumentNode | undefined {
    const trusted = this.trusted.get(hash);
    const known = trusted === undefined ? this.prepared.get(hash) : trusted.prepared;
    return known?.refusals === undefined ? known?.document : undefined;
  }

  private readOnce(trusted: TrustedText): Prepared {
    return (trusted.prepared ??= this.read(trusted.text));
  }

  private read(text: string): Prepared {
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens: documentLimits.tokens });
    } catch (error) {
      return { refusals: [refusalOf(error)] };
    }
    const exceeded = findExceededLimit(document);
    if (exceeded !== undefined) return { refusals: [exceeded] };
    const { schema, introspection } = this.options;
    // A caller who may not read the schema does not see its names in suggestions either.
    const options = { maxErrors: maxValidationErrors, hideSuggestions: !introspection };
    const refusals = validate(schema, document, this.rules, options);
    return refusals.length > 0 ? { refusals } : { document };
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

// In graphql-js only the message distinguishes too many tokens from a wrong token.
function refusalOf(error: unknown): GraphQLError {
  // The parser calls itself for each level: values may be nested deeper than the stack goes.
  if (error instanceof RangeError)
    return new GraphQLError('The document is nested too deeply to be read', { extensions: { code: 'BAD_REQUEST' } });
  if (!(error instanceof GraphQLError)) throw error;
  if (error.message.includes('Parsing aborted')) return tooManyTokens();
  const { message, source, positions } = error;
  return new GraphQLError(message, {
    source: source ?? null,
    positions: positions ?? null,
    extensions: { code: 'BAD_REQUEST' },
  });
}

const maxPersistedBytes = 8 * 1024 * 1024;

/** Operations by their hash: the trusted ones, and the latest 8 MiB of others that were valid and affordable once. */
export class PersistedOperations {
  private trusted: ReadonlyMap<string, string> = new Map();
  private readonly texts = new LRUCache<string, string>({
    maxSize: maxPersistedBytes,
    sizeCalculation: (text) => 2 * text.length + 200,
  });

  /** @param texts by their hash */
  trust(texts: ReadonlyMap<string, string>): void {
    this.trusted = texts;
  }

  find(hash: string): string | undefined {
    return this.trusted.get(hash) ?? this.texts.get(hash);
  }

  /** Apollo asks for a text by a key of its own. */
  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.find(hashIn(key)));
  }

  set(key: string, text: string): Promise<void> {
    this.texts.set(hashIn(key), text);
    return Promise.resolve();
  }

  delete(key: string): Promise<boolean> {
    return Promise.resolve(this.texts.delete(hashIn(key)));
  }
}

/** Apollo's keys end with the hash. */
export const hashIn = (key: string): string => key.slice(key.lastIndexOf(':') + 1);
