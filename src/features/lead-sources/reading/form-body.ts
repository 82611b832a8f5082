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
const vagueType = /^(?:text\/(?:plain|json|x-json)|application\/(?:octet-stream|x-json)|\*\/\*)?\s*(?:;|$)/i;
/** The beginning of form fields: a name and a sign of equality, on one line. */
const beginsLikeFields = /^\s*[^=&<>{}\r\n]{1,300}=/;
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

/** Parses a body by its content type, or by its content where the type says nothing. @throws AppError UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST */
export async function parseFormBody(bytes: Buffer, contentType: string | undefined): Promise<FormBody> {
  const body = await parseAny(bytes, contentType);
  return isListOfAnswers(body.value) ? { ...body, value: { answers: body.value } } : body;
}

/** Scripts post the fields of one form as a list, `[{"name": "phone", "value": "+55…"}, …]`, in which no element is a submission. */
function isListOfAnswers(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxFields) return false;
  return value.every(
    (element: unknown) => isPlainObject(element) && 'value' in element && Object.keys(element).every(isOfAnswer),
  );
}

const isOfAnswer = (name: string) => /^(?:id|name|label|title|key|type|value|required)$/.test(name);

async function parseAny(bytes: Buffer, contentType: string | undefined): Promise<FormBody> {
  if (contentType !== undefined && multipartType.test(contentType)) return parseMultipart(bytes, contentType);
  if (contentType !== undefined && formType.test(contentType)) {
    const json = jsonIn(bytes);
    return json === undefined
      ? { value: parseFields(bytes), notes: [], mayLackPlus: true }
      : { value: json, notes: [] };
  }
  if (vagueType.test(contentType?.trim() ?? '')) return parseByContent(bytes);
  return { value: parseJson(bytes, contentType), notes: [] };
}

function parseByContent(bytes: Buffer): FormBody {
  const json = jsonIn(bytes);
  if (json !== undefined) return { value: json, notes: [] };
  const text = textOfBytes(bytes).trim();
  if (!beginsLikeFields.test(text))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body is neither JSON nor form fields: ${sendAs}`);
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.filter((line) => beginsLikeFields.test(line)).length > 1) return { value: fieldsOfLines(lines), notes: [] };
  return { value: parseFields(Buffer.from(text)), notes: [], mayLackPlus: true };
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
function jsonIn(bytes: Buffer): unknown {
  if (!/^(?:\xEF\xBB\xBF)?\s*[[{]/.test(bytes.toString('latin1', 0, 100))) return undefined;
  try {
    return parseExactJson(bytes, 'application/json');
  } catch (error) {
    if (error instanceof AppError && bytes.includes('=')) return undefined;
    throw error;
  }
}

function parseFields(bytes: Buffer): Record<string, unknown> {
  const pairs = bytes
    .toString('latin1')
    .split('&')
    .filter((pair) => pair !== '');
  if (pairs.length > maxFields) throw tooManyFields();
  return joinAnswers(
    pairs.map((pair) => {
      const end = pair.includes('=') ? pair.indexOf('=') : pair.length;
      return [unescapedText(pair.slice(0, end)), unescapedText(pair.slice(end + 1))];
    }),
  );
}

function unescapedText(written: string): string {
  const bytes = written
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return textOfBytes(Buffer.from(bytes, 'latin1'));
}

// Old pages post in the encoding of their own, and say so nowhere: `Jos%E9`. Texts in it are hardly ever valid UTF-8 as well.
function textOfBytes(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : windows1252.decode(bytes);
}

function tooManyFields(): AppError {
  return new AppError('BAD_REQUEST', `The body has more than ${maxFields} fields`);
}

function parseJson(bytes: Buffer, contentType: string | undefined): unknown {
  try {
    return parseExactJson(bytes, contentType);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNSUPPORTED_MEDIA_TYPE') throw error;
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body has a type that is not read here: ${sendAs}`);
  }
}

/** Parses multipart/form-data. The name of a file stands in place of the file. */
function parseMultipart(bytes: Buffer, contentType: string): Promise<FormBody> {
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
      if (typeof name === 'string') fields.push([name, typeof value === 'string' ? decodedText(value) : value]);
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
function decodedText(value: string): string {
  return /^[\0-\xFF]*$/.test(value) ? textOfBytes(Buffer.from(value, 'latin1')) : value;
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
