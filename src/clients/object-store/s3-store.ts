// Keeps objects in a bucket of S3, or of a server that speaks its protocol. A file goes out with its length and its hash, which the server
// checks: nothing is held in memory, and no part of a broken upload is ever an object.

import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { refuseInDryRun } from '../../platform/database/dry-run.js';
import { reasonOf } from '../../platform/observability/fault.js';
import { AgentPair, readLimited } from '../http-exchange.js';
import { ObjectStoreError } from './object-store-error.js';
import type { ByteRange, ObjectKey, ObjectStore } from './object-store.js';
import type { StagedFile, StagingFolder } from './staging-folder.js';

export interface S3StoreOptions {
  endpoint: string;
  region: string;
  bucket: string;
  /** The text before each key; with a slash at its end, or empty. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  staging: StagingFolder;
  /** The longest silence of the server, in milliseconds. Default: 30,000. */
  silenceLimitMs?: number;
}

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** The object's key; without it, the request is for the bucket itself. */
  key?: ObjectKey;
  headers?: Record<string, string>;
  body?: StagedFile;
}

const tries = 3;
const retryDelayMs = 200;
const defaultSilenceLimitMs = 30_000;
const maxErrorBytes = 16 * 1024;

export class S3Store implements ObjectStore {
  readonly staging: StagingFolder;
  private readonly agents = new AgentPair(undefined);

  constructor(private readonly options: S3StoreOptions) {
    this.staging = options.staging;
  }

  async start(): Promise<void> {
    await this.staging.start();
    await this.settle({ method: 'HEAD' }, [200]);
  }

  async put(key: ObjectKey, body: StagedFile): Promise<void> {
    await this.settle({ method: 'PUT', key, body }, [200]);
    await rm(body.path, { force: true });
  }

  async open(key: ObjectKey, range?: ByteRange): Promise<Readable | undefined> {
    const headers: Record<string, string> = range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` };
    const request: S3Request = { method: 'GET', key, headers };
    const answer = await this.ask(request, [range === undefined ? 200 : 206, 404]);
    if (answer.statusCode !== 404) return answer;
    const code = codeIn(await readLimited(answer, maxErrorBytes).catch(() => ''));
    if (code === 'NoSuchBucket') throw this.failure(request, 'the bucket does not exist');
    return undefined;
  }

  async delete(key: ObjectKey): Promise<void> {
    await this.settle({ method: 'DELETE', key }, [200, 204, 404]);
  }

  private async settle(request: S3Request, expected: readonly number[]): Promise<void> {
    const answer = await this.ask(request, expected);
    await readLimited(answer, maxErrorBytes).catch(() => answer.destroy());
  }

  /** Sends a request, and retries it where it did not come through or the server could not serve it right now. */
  private async ask(request: S3Request, expected: readonly number[]): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.send(request).catch((error: unknown) => {
        if (attempt === tries) throw this.failure(request, reasonOf(error), error);
        return undefined;
      });
      if (answer !== undefined && expected.includes(answer.statusCode ?? 0)) return answer;
      if (answer !== undefined) {
        const { statusCode: status = 0 } = answer;
        const code = codeIn(await readLimited(answer, maxErrorBytes).catch(() => ''));
        const isPassing = status >= 500 || status === 429 || status === 408;
        if (!isPassing || attempt === tries) throw this.failure(request, adviceOn(status, code));
      }
      await delay(retryDelayMs * 2 ** attempt);
    }
  }

  private async send(request: S3Request): Promise<IncomingMessage> {
    const { method, body } = request;
    const { region, accessKeyId, secretAccessKey, sessionToken, silenceLimitMs = defaultSilenceLimitMs } = this.options;
    const signer = new AwsV4Signer({
      method,
      url: this.urlOf(request.key),
      headers: {
        ...request.headers,
        'x-amz-content-sha256': body === undefined ? emptyHash : body.sha256.toString('hex'),
      },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
    });
    const { url, headers } = await signer.sign();
    const options = {
      method,
      agent: this.agents.for(url),
      timeout: silenceLimitMs,
      headers: { ...Object.fromEntries(headers), ...(body === undefined ? {} : { 'content-length': body.size }) },
    };
    return new Promise((resolve, reject) => {
      refuseInDryRun();
      const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (answer) => {
        answer.setTimeout(silenceLimitMs, () => answer.destroy(new Error('the server was silent for too long')));
        resolve(answer);
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('the server was silent for too long')));
      outgoing.on('error', reject);
      outgoing.on('close', () => reject(new Error('the connection was closed')));
      // An answer may come before the file has left; then the pipeline fails, and the answer counts.
      if (body === undefined) outgoing.end();
      else pipeline(this.readPaced(request, body), outgoing).catch(reject);
    });
  }

  private readPaced({ key }: S3Request, { path }: StagedFile): AsyncIterable<Uint8Array> {
    return this.staging.pace.chunks(key?.tenantId ?? '', createReadStream(path));
  }

  // The bucket stands in the path, as every server of this protocol takes it.
  private urlOf(key: ObjectKey | undefined): string {
    const { endpoint, bucket, prefix } = this.options;
    const path = key === undefined ? '' : `/${prefix}${key.tenantId}/${key.objectId}`;
    return `${endpoint}/${bucket}${path}`;
  }

  private failure({ method, key }: S3Request, reason: string, cause?: unknown): ObjectStoreError {
    const what = `${method} of ${key === undefined ? `the bucket ${this.options.bucket}` : 'an object'}`;
    return new ObjectStoreError(`MEDIA_STORE: ${what} failed: ${reason}`, { cause });
  }
}

/** SHA-256 of no bytes. */
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function codeIn(xml: string): string | undefined {
  return /<Code>(\w{1,64})<\/Code>/.exec(xml)?.[1];
}

function adviceOn(status: number, code: string | undefined): string {
  const shown = code === undefined ? String(status) : `${status} ${code}`;
  if (status === 401 || status === 403)
    return `the server answered ${shown}: check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what the key may do`;
  if (status === 404) return `the server answered ${shown}: check the bucket's name`;
  if (status === 301 || status === 307 || status === 400)
    return `the server answered ${shown}: check endpoint and region`;
  return `the server answered ${shown}`;
}
