// The variables of media: where files are kept, for how long, and under which address callers reach the service.

import { z } from 'zod';
import { httpUrl, integer } from './value-formats.js';

/** The store of messages' files: a folder, or an S3 bucket. */
export type MediaStoreConfig =
  | { readonly kind: 'file'; /** Undefined: `media` in the data folder. */ readonly folder: string | undefined }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      /** The text before each key, with a slash at its end; empty for none. */
      readonly prefix: string;
      readonly endpoint: string;
      readonly region: string;
    };

const storeForms = 'has to be `file:`, `file:/a/folder` or `s3://bucket?endpoint=https://…&region=…`';
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const defaultRegion = 'us-east-1';

const mediaStore = z.string().transform((value, context): MediaStoreConfig => {
  const parsed = parseStore(value);
  if (typeof parsed !== 'string') return parsed;
  context.addIssue({ code: 'custom', message: parsed });
  return z.NEVER;
});

const publicUrl = httpUrl
  .refine((url) => !URL.canParse(url) || !/[?#]/.test(url), 'has to come without query and fragment')
  .transform((url) => url.replace(/\/+$/, ''));

export const mediaVariables = {
  PUBLIC_URL: {
    schema: publicUrl.optional(),
    default: '– (the port on `localhost` outside production)',
    meaning:
      'address under which browsers and gateways reach the service, as `https://leads.example.com`; addresses of files begin with it. Unset in production: clients get paths, and uploaded files cannot be sent',
  },
  MEDIA_STORE: {
    schema: mediaStore.default({ kind: 'file', folder: undefined }),
    default: '`file:`',
    meaning:
      'where files of messages are kept: `file:` (the folder `media` in `DATA_DIR`), `file:/a/folder`, or `s3://bucket/prefix?endpoint=https://…&region=…`. Processes on several machines need S3 or a shared folder',
  },
  AWS_ACCESS_KEY_ID: {
    schema: z.string().min(1).optional(),
    default: '–',
    meaning: 'id of the key for an S3 `MEDIA_STORE`; required with it',
  },
  AWS_SECRET_ACCESS_KEY: {
    schema: z.string().min(1).optional(),
    default: '–',
    meaning: 'the secret of that key; required with it',
  },
  AWS_SESSION_TOKEN: {
    schema: z.string().min(1).optional(),
    default: '–',
    meaning: 'session token of temporary S3 credentials',
  },
  MEDIA_RETENTION_DAYS: {
    schema: integer(0, 36_500).default(0),
    default: '`0`',
    meaning:
      'how long files of messages are kept, 1 to 36500 days; 0: as long as their messages. Messages keep name, size and type',
  },
} as const;

type Parsed = { [Name in keyof typeof mediaVariables]: z.output<(typeof mediaVariables)[Name]['schema']> };

export interface MediaConfig {
  readonly store: MediaStoreConfig;
  /** Undefined where the store needs none. */
  readonly credentials: S3Credentials | undefined;
  /** The days that files are kept; 0: as long as their messages. */
  readonly retentionDays: number;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

export function mediaOf(values: Parsed): MediaConfig {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = values;
  const isGiven = accessKeyId !== undefined && secretAccessKey !== undefined;
  const credentials = isGiven
    ? Object.freeze({ accessKeyId, secretAccessKey, sessionToken: values.AWS_SESSION_TOKEN })
    : undefined;
  return Object.freeze({
    store: Object.freeze(values.MEDIA_STORE),
    credentials,
    retentionDays: values.MEDIA_RETENTION_DAYS,
  });
}

/** @returns the store, or what is wrong with the value as text */
function parseStore(value: string): MediaStoreConfig | string {
  if (value.startsWith('file:')) {
    const folder = value.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
    return { kind: 'file', folder: folder === '' ? undefined : folder };
  }
  if (!value.startsWith('s3://') || !URL.canParse(value)) return storeForms;
  const { hostname: bucket, pathname, searchParams, username } = new URL(value);
  if (username !== '') return 'has to come without credentials in it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  if (!bucketName.test(bucket)) return 'has to name an S3 bucket (`s3://bucket`)';
  const unknown = [...searchParams.keys()].find((name) => name !== 'endpoint' && name !== 'region');
  if (unknown !== undefined) return 'must have no parameters but `endpoint` and `region`';
  const region = searchParams.get('region') ?? defaultRegion;
  const endpoint = searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    return 'has to have an http or https URL as `endpoint`';
  const prefix = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '');
  if (!/^[\w./-]*$/.test(prefix)) return 'has to have a prefix of letters, digits, `.`, `_`, `-` and `/`';
  return {
    kind: 's3',
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint: endpoint.replace(/\/+$/, ''),
    region,
  };
}
