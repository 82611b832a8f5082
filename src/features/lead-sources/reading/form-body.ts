// The body of a form's call: JSON, form fields, or multipart/form-data, whose files are left out.

import { isUtf8 } from 'node:buffer';
import { Busboy } from '@fastify/busboy';
import { AppError } from '../../../platform/errors.js';
import { isPlainObject, storableText } from '../../../platform/input/input.js';
import { parseExactJson } from './exact-json.js';
import { joinAnswers } from './submission.js';

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const multipartType = /^multipart\/form-data\s*(?:;|$)/i;
/** A type that says nothing about the body: products send JSON and form fields under these, or under none. */
const vagueType =
  /^(?:text\/(?:plain|html|json|x-json|javascript)|application\/(?:octet-stream|x-json|javascript)|\*\/\*)?\s*(?:;|$)/i;
/** The beginning of form fields: a name and a sign of equality, on one line. */
const beginsLikeFields = /^\s*[^=&<>{}\r\n]{1,300}=/;
const beginsLikeJson = /^(?:\xEF\xBB\xBF)?\s*[[{]/;
const sendAs = 'send it as Content-Type: application/json, application/x-www-form-urlencoded or multipart/form-data';
const maxFields = 500;
const maxFiles = 50;
const maxNameLength = 300;
const maxNoted = 10;
const windows1252 = new TextDecoder('windows-1252');

export interface FormBody {
  value: unknown;
  /** Sentences that say which parts of the call are left out. */
  notes: string[];
  /** Set for an urlencoded body, in which a `+` that was not encoded has become a blank. */
  mayLackPlus?: true;
}

/**
 * Parses a body by its content type, or by its content where the type says nothing.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST
 */
export async function parseFormBody(bytes: Buffer, contentType: string | undefined): Promise<FormBody> {
  const body = await parseAny(bytes, contentType);
  // Automations write an object as text where what they make is text already.
  const isWrapped = typeof body.value === 'string' && beginsLikeJson.test(body.value);
  const value = isWrapped ? parseExactJson(Buffer.from(String(body.value)), 'application/json') : body.value;
  return { ...body, value: isListOfAnswers(value) ? { answers: value } : value };
}

/** Scripts post the fields of one form as a list, `[{"name": "phone", "value": "+55…"}, …]`, in which no element is a submission. */
function isListOfAnswers(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxFields) return false;
  return value.every(
    (element: unknown) => isPlainObject(element) && 'value' in element && Object.keys(element).every(isOfAnswer),
  );
}

const isOfAnswer = (name: string) => /^(?:id|name|label|title|key|type|value|required)$/.test(name);

async function parseAny(bytes: Buffer, contentType = ''): Promise<FormBody> {
  const decode = decoderOf(bytes, contentType);
  if (multipartType.test(contentType)) return parseMultipart(bytes, contentType, decode);
  if (formType.test(contentType)) {
    const json = jsonIn(bytes, decode);
    return json === undefined
      ? { value: parseFields(bytes, decode), notes: [], mayLackPlus: true }
      : { value: json, notes: [] };
  }
  if (vagueType.test(contentType.trim())) return parseByContent(bytes, decode);
  return { value: parseJson(bytes, contentType, decode), notes: [] };
}

type Decode = (bytes: Buffer) => string;

/**
 * Old pages post in the encoding of their own, and most say so nowhere: `Jos%E9`. Browsers name it in a hidden field `_charset_`, scripts
 * in the content type. Texts in such an encoding are hardly ever valid UTF-8 as well.
 */
function decoderOf(bytes: Buffer, contentType: string): Decode {
  const named =
    /charset\s*=\s*"?([\w:-]{1,40})/i.exec(contentType) ??
    /_charset_(?:=|"\r\n\r\n)([\w:-]{1,40})/.exec(bytes.toString('latin1'));
  let decoder = windows1252;
  try {
    if (named !== null) decoder = new TextDecoder(named[1]);
  } catch {
    // The encoding is one that nobody knows.
  }
  if (decoder.encoding === 'utf-8') decoder = windows1252;
  return (part) => (isUtf8(part) ? part.toString() : decoder.decode(part));
}

function parseByContent(bytes: Buffer, decode: Decode): FormBody {
  const json = jsonIn(bytes, decode);
  if (json !== undefined) return { value: json, notes: [] };
  const text = decode(bytes).trim();
  if (!beginsLikeFields.test(text))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body is neither JSON nor form fields: ${sendAs}`);
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.filter((line) => beginsLikeFields.test(line)).length > 1) return { value: fieldsOfLines(lines), notes: [] };
  return { value: parseFields(Buffer.from(text), decode), notes: [], mayLackPlus: true };
}

/** Reads `name=value` lines, as a browser sends a form of the type text/plain. A line without a name goes on with the value before it. */
function fieldsOfLines(lines: readonly string[]): Record<string, unknown> {
  const pairs: [string, string][] = [];
  for (const line of lines) {
    const last = pairs.at(-1);
    const end = line.indexOf('=');
    if (last !== undefined && !beginsLikeFields.test(line)) last[1] += `\n${line}`;
    else pairs.push([line.slice(0, end).trim(), line.slice(end + 1)]);
  }
  if (pairs.length > maxFields) throw tooManyFields();
  return joinAnswers(pairs);
}

// curl and Google Apps Script call any body form fields unless they are told otherwise. The name of no field begins with a bracket.
function jsonIn(bytes: Buffer, decode: Decode): unknown {
  if (!beginsLikeJson.test(bytes.toString('latin1', 0, 100))) return undefined;
  try {
    return parseExactJson(Buffer.from(decode(bytes)), 'application/json');
  } catch (error) {
    if (error instanceof AppError && bytes.includes('=')) return undefined;
    throw error;
  }
}

function parseFields(bytes: Buffer, decode: Decode): Record<string, unknown> {
  const pairs = bytes
    .toString('latin1')
    .split('&')
    .filter((pair) => pair !== '');
  if (pairs.length > maxFields) throw tooManyFields();
  return joinAnswers(
    pairs.map((pair) => {
      const end = pair.includes('=') ? pair.indexOf('=') : pair.length;
      return [unescapedText(pair.slice(0, end), decode), unescapedText(pair.slice(end + 1), decode)];
    }),
  );
}

function unescapedText(written: string, decode: Decode): string {
  const bytes = written
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return decode(Buffer.from(bytes, 'latin1'));
}

function tooManyFields(): AppError {
  return new AppError('BAD_REQUEST', `The body has more than ${maxFields} fields`);
}

function parseJson(bytes: Buffer, contentType: string, decode: Decode): unknown {
  try {
    return parseExactJson(Buffer.from(decode(bytes)), contentType);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNSUPPORTED_MEDIA_TYPE') throw error;
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body has a type that is not read here: ${sendAs}`);
  }
}

/** Parses multipart/form-data. The name of a file stands in place of the file. */
function parseMultipart(bytes: Buffer, contentType: string, decode: Decode): Promise<FormBody> {
  const fields: [string, unknown][] = [];
  const files: string[] = [];
  return new Promise<FormBody>((resolve, reject) => {
    const malformed = (cause: unknown) =>
      reject(new AppError('BAD_REQUEST', 'The body is not complete, or not multipart/form-data', { cause }));
    let parser: InstanceType<typeof Busboy>;
    try {
      // Each byte is one character, so that the encoding can be judged here.
      parser = new Busboy({
        headers: { 'content-type': contentType },
        defCharset: 'latin1',
        limits: limitsFor(bytes.length),
      });
    } catch (error) {
      malformed(error);
      return;
    }
    parser.on('field', (name: unknown, value: unknown) => {
      if (typeof name === 'string') fields.push([name, typeof value === 'string' ? decodedText(value, decode) : value]);
    });
    parser.on('file', (name: unknown, stream, written: unknown) => {
      stream.on('error', () => undefined);
      stream.resume();
      const label = typeof name === 'string' ? name : '';
      if (files.length < maxNoted) files.push(storableText(label, 100));
      if (typeof written === 'string' && written !== '') fields.push([label, storableText(written, 255)]);
    });
    for (const event of ['fieldsLimit', 'partsLimit', 'filesLimit'] as const)
      parser.on(event, () => reject(tooManyFields()));
    parser.on('error', malformed);
    parser.on('finish', () => {
      const notes = files.length === 0 ? [] : [`Files are not kept: ${files.join(', ')}`];
      resolve({ value: joinAnswers(fields), notes });
    });
    parser.end(bytes);
  });
}

// A part that says its encoding is decoded already. Then it has other characters than those of bytes, or is not valid UTF-8.
function decodedText(value: string, decode: Decode): string {
  return /^[\0-\xFF]*$/.test(value) ? decode(Buffer.from(value, 'latin1')) : value;
}

function limitsFor(fieldSize: number) {
  return {
    fields: maxFields,
    fieldSize: Math.max(fieldSize, 1),
    fieldNameSize: maxNameLength,
    files: maxFiles,
    parts: maxFields + maxFiles,
    headerPairs: 20,
    headerSize: 8_192,
  };
}
