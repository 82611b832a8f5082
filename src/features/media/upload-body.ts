// The file in the body of an upload, as it comes: `multipart/form-data` with one part `file`, or the bytes themselves. A silent sender is
// cut off. The request stays open when the file is refused, so that the sender gets an answer.

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { AppError, invalidField } from '../../platform/errors.js';
import { storableText } from '../../platform/input/input.js';
import { withoutMisleadingMarks } from '../../platform/input/shown-name.js';
import { baseTypeOf } from './media-type.js';

export interface UploadBody {
  bytes: AsyncIterable<Uint8Array>;
  mimeType: string | undefined;
  fileName: string | undefined;
  /** Resolves when the rest of the body has arrived and is well-formed. Call it once the bytes were read. */
  end: () => Promise<void>;
}

export interface UploadTimes {
  /** The longest silence of the sender, in milliseconds. */
  silenceLimitMs: number;
  /** The time limit of the whole body, in milliseconds. */
  timeoutMs: number;
}

const maxNameLength = 255;
const multipart = 'multipart/form-data';
const limits = {
  files: 2,
  fields: 8,
  fieldSize: 1_024,
  fieldNameSize: 100,
  parts: 10,
  headerPairs: 20,
  headerSize: 8_192,
};

/** @throws AppError UNSUPPORTED_MEDIA_TYPE without a type, BAD_REQUEST for a malformed body, VALIDATION_FAILED on `file` */
export async function openUpload(
  req: IncomingMessage,
  fileName: string | undefined,
  times: UploadTimes,
): Promise<UploadBody> {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = req.headers;
  if (encoding !== 'identity')
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the file as it is, without Content-Encoding');
  const base = baseTypeOf(type);
  if (type === undefined || base === undefined)
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `Send the file as ${multipart}, or its bytes with their Content-Type`);
  const bytes = paced(req, times);
  if (base === multipart) return openMultipart(bytes, type);
  return { bytes, mimeType: base, fileName: nameOf(fileName), end: () => Promise.resolve() };
}

async function openMultipart(source: AsyncIterable<Uint8Array>, type: string): Promise<UploadBody> {
  const parser = parserOf(type);
  const problems: AppError[] = [];
  let file: Readable | undefined;
  const opened = new Promise<Omit<UploadBody, 'end'>>((resolve, reject) => {
    parser.on('file', (name, stream, written, _encoding, mimeType) => {
      // The stream's errors are those of the body, which `end` throws.
      stream.on('error', () => undefined);
      if (name !== 'file' || file !== undefined) {
        problems.push(invalidField(name === 'file' ? 'file' : shownName(name), 'has to be one part, named file'));
        stream.resume();
        return;
      }
      file = stream;
      resolve({ bytes: stream, mimeType: baseTypeOf(mimeType), fileName: nameOf(written) });
    });
    parser.on('field', (name) => problems.push(invalidField(shownName(name), 'is not a part of an upload')));
    parser.on('finish', () => reject(problems[0] ?? invalidField('file', 'is required')));
    parser.on('error', (error) => reject(malformed(error)));
  });
  const parsed = pipeline(Readable.from(source, { objectMode: false }), parser).then(
    () => undefined,
    (error: unknown) => {
      const refusal = error instanceof AppError ? error : malformed(error);
      file?.destroy(refusal);
      return refusal;
    },
  );
  const body = await Promise.race([
    opened,
    parsed.then((refusal) => (refusal === undefined ? opened : Promise.reject(refusal))),
  ]);
  const end = async () => {
    const refusal = (await parsed) ?? problems[0];
    if (refusal !== undefined) throw refusal;
  };
  return { ...body, end };
}

function parserOf(type: string) {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits });
  } catch (error) {
    throw malformed(error);
  }
}

function malformed(cause: unknown): AppError {
  return new AppError('BAD_REQUEST', `The body is not complete, or not ${multipart}`, { cause });
}

// The iterator keeps the connection open when its loop ends, so that an answer can follow.
async function* paced(req: IncomingMessage, { silenceLimitMs, timeoutMs }: UploadTimes): AsyncGenerator<Buffer> {
  const startedAtMs = performance.now();
  let silence: NodeJS.Timeout | undefined;
  let isSilent = false;
  const watch = () => {
    silence = setTimeout(() => {
      isSilent = true;
      // Destroying the request ends the pending read. The sender is gone, so no answer is sent.
      req.destroy();
    }, silenceLimitMs);
  };
  watch();
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      clearTimeout(silence);
      if (performance.now() - startedAtMs > timeoutMs)
        throw new AppError('BAD_REQUEST', `The upload took longer than ${timeoutMs / 60_000} minutes`);
      yield chunk as Buffer;
      watch();
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const detail = isSilent ? 'The sender of the upload fell silent' : 'The request ended before its body did';
    throw new AppError('BAD_REQUEST', detail, { cause: error });
  } finally {
    clearTimeout(silence);
  }
  if (!req.complete) throw new AppError('BAD_REQUEST', 'The request ended before its body did');
}

/** Returns the last part of a path, in a form that can be stored. */
function nameOf(written: string | undefined): string | undefined {
  const last = withoutMisleadingMarks(written?.split(/[\\/]/).at(-1) ?? '').trim();
  const name = storableText(last, maxNameLength).replaceAll(/\p{Cc}/gu, '');
  return name === '' ? undefined : name;
}

function shownName(name: string | undefined): string {
  return storableText(name ?? '', 100);
}
