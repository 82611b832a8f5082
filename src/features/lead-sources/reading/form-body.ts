// The body of a form's call: JSON, form fields, or multipart/form-data, whose files are left out.

import { Busboy } from '@fastify/busboy';
import { AppError } from '../../../platform/errors.js';
import { storableText } from '../../../platform/input/input.js';
import { parseExactJson } from './exact-json.js';
import { joinAnswers } from './submission.js';

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const multipartType = /^multipart\/form-data\s*(?:;|$)/i;
const maxFields = 500;
const maxFiles = 50;
const maxNameLength = 300;
const maxNoted = 10;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export interface FormBody {
  value: unknown;
  /** Sentences that say which parts of the call are left out. */
  notes: string[];
  /** Set for an urlencoded body, in which a `+` that was not encoded has become a blank. */
  mayLackPlus?: true;
}

/** Parses a body by its content type. @throws AppError UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST */
export async function parseFormBody(bytes: Buffer, contentType: string | undefined): Promise<FormBody> {
  if (contentType !== undefined && multipartType.test(contentType)) return parseMultipart(bytes, contentType);
  if (contentType !== undefined && formType.test(contentType))
    return { value: parseFields(bytes), notes: [], mayLackPlus: true };
  return { value: parseJson(bytes, contentType), notes: [] };
}

function parseFields(bytes: Buffer): Record<string, unknown> {
  let written;
  try {
    written = utf8.decode(bytes);
  } catch (cause) {
    throw new AppError('BAD_REQUEST', 'The body is not valid UTF-8', { cause });
  }
  const fields = [...new URLSearchParams(written)];
  if (fields.length > maxFields) throw tooManyFields();
  return joinAnswers(fields);
}

function tooManyFields(): AppError {
  return new AppError('BAD_REQUEST', `The body has more than ${maxFields} fields`);
}

function parseJson(bytes: Buffer, contentType: string | undefined): unknown {
  try {
    return parseExactJson(bytes, contentType);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNSUPPORTED_MEDIA_TYPE') throw error;
    const types = 'application/json, application/x-www-form-urlencoded or multipart/form-data';
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `Send the body as Content-Type: ${types}`);
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
      parser = new Busboy({ headers: { 'content-type': contentType }, limits: limitsFor(bytes.length) });
    } catch (error) {
      malformed(error);
      return;
    }
    parser.on('field', (name: unknown, value: unknown) => {
      if (typeof name === 'string') fields.push([name, value]);
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
