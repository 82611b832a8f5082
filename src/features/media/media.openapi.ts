// OpenAPI description of files.

import { z } from 'zod';
import { text } from '../../platform/input/input.js';
import { wireId, type RouteDescription } from '../../platform/http/route-description.js';
import { addressQuerySchema } from './media-address.js';
import { maxAnyFileBytes, maxFileBytes } from './file-size.js';

export const uploadQuerySchema = z.object({ fileName: text(255).optional() });

const mebibyte = 1024 * 1024;
const bounds = Object.entries(maxFileBytes).map(([kind, { sent }]) => `${kind} ${sent / mebibyte} MiB`);
const { tenant, expires, signature } = addressQuerySchema.shape;
const bytes = z.string().meta({ format: 'binary' });

export const mediaDescriptions: RouteDescription[] = [
  {
    method: 'post',
    path: '/media',
    operationId: 'uploadMedia',
    tag: 'Files',
    summary: 'Upload a file to send',
    description:
      `\`multipart/form-data\` with one part \`file\`, or the bytes with their own Content-Type. At most: ${bounds.join(', ')}. The type is that of the ` +
      'content; one that contradicts the declared type is refused. A file that no message was sent with goes after 24 hours.',
    credentials: [['bearer']],
    parameters: [
      {
        name: 'fileName',
        in: 'query',
        description: 'Name to show, for a body that is not multipart.',
        schema: text(255),
        example: 'offer.txt',
      },
    ],
    body: {
      type: 'text/plain',
      schema: z.string(),
      maxBytes: maxAnyFileBytes,
      examples: { text: { summary: 'A text file', value: 'Our offer.\n', status: 201 } },
    },
    answers: {
      201: {
        description: 'The file: `sendMessage(media: {id})` takes its id, any number of times.',
        schema: z.object({
          id: wireId,
          mimeType: z.string(),
          size: z.number().int(),
          sha256: z.string().describe('Hexadecimal.'),
        }),
      },
    },
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_FAILED'],
  },
  {
    method: 'get',
    path: '/media/:id',
    operationId: 'readMedia',
    tag: 'Files',
    summary: 'Read a file at its signed address',
    description:
      'The address is `MessageMedia.url`, valid for an hour; it needs no token. One range is answered with 206. Images, audio, video and PDF are ' +
      'shown by browsers, anything else is saved.',
    credentials: [],
    parameters: [
      { name: 'id', in: 'path', description: "The file's id.", schema: wireId },
      { name: 'tenant', in: 'query', description: 'Of the address.', schema: tenant, required: true },
      { name: 'expires', in: 'query', description: 'Of the address: unix seconds.', schema: expires, required: true },
      { name: 'signature', in: 'query', description: 'Of the address.', schema: signature, required: true },
    ],
    answers: {
      200: { description: 'The file, as its own type.', type: 'application/octet-stream', schema: bytes },
      206: { description: 'The range.', type: 'application/octet-stream', schema: bytes },
    },
    problems: ['FORBIDDEN', 'NOT_FOUND'],
  },
];
