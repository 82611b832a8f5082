// Checks of the rest that the service uses: Node, its variables, the gateway, the store of files and the public address.

import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdtemp, open, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { GatewayHttp } from '../../providers/http.js';
import { readLimited } from '../../clients/http-exchange.js';
import { S3Store } from '../../clients/object-store/s3-store.js';
import { StagingFolder } from '../../clients/object-store/staging-folder.js';
import type { Config } from '../../config/config.js';
import type { ConfigProblem } from '../../config/value-files.js';
import { productVersion } from '../../config/product.js';
import { findLikelyTypos } from '../../config/variables.js';
import { isLoopback } from '../../config/value-formats.js';
import { hasCode } from '../../platform/observability/fault.js';
import {
  certificateAdvice,
  codeOf,
  failed,
  isCertificateError,
  ok,
  sentenceOf,
  warning,
  type Check,
  type Finding,
} from './check.js';

const answerTimeoutMs = 5_000;
const maxHealthBytes = 16 * 1024;
const leastFreeBytes = 1024 ** 3;

export function nodeCheck(): Check {
  return {
    name: 'node',
    variables: [],
    run: async () => ok(`Leadwire ${productVersion} runs on Node ${process.versions.node}.`),
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

export function configurationCheck(environment: Environment, problems: readonly ConfigProblem[]): Check {
  const wrong = problems.map(({ name, sentence }) => failed(sentence, `Correct ${name}.`));
  const typos = findLikelyTypos(environment).map(({ name, meant }) =>
    warning(`${name} is not a variable of this service.`, `Rename it to ${meant}, or remove it.`),
  );
  const findings = [...wrong, ...typos];
  const well = [ok('All variables can be read.')];
  return { name: 'configuration', variables: [], run: async () => (findings.length === 0 ? well : findings) };
}

export function gatewayCheck({ gateway: { url, token } }: Config): Check {
  const run = async (signal: AbortSignal): Promise<Finding> => {
    if (url === undefined) return ok('GATEWAY_URL is not set: each chat instance names its own gateway.');
    const http = new GatewayHttp({ timeoutMs: answerTimeoutMs, trustedUrl: url });
    const instanceName = 'leadwire-doctor';
    const endpoint = { baseUrl: url, token: token ?? null, instanceName };
    const call = { method: 'GET', path: ['instances', instanceName], isRepeatable: true, signal } as const;
    const answer = await http.call(endpoint, { ...call, headers: everyProofOf(token) });
    if (answer.outcome !== 'answered')
      return failed(`It cannot be reached: ${answer.detail}`, 'Start the gateway, or correct GATEWAY_URL.');
    const { status } = answer;
    if (status === 401 || status === 403) return failed(`It refuses the token (${status}).`, 'Correct GATEWAY_TOKEN.');
    if (status >= 500 || (status >= 300 && status < 400))
      return warning(`It answers ${status}.`, 'Look at the gateway, and whether GATEWAY_URL leads to it.');
    return ok(`It answers, and does not refuse ${token === undefined ? 'a call without a token' : 'the token'}.`);
  };
  return { name: 'gateway', variables: ['GATEWAY_URL', 'GATEWAY_TOKEN'], run };
}

/** The token in the header of each provider, because only chat instances say which provider the address belongs to. */
function everyProofOf(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}`, apikey: token, 'X-Api-Key': token };
}

export function mediaStoreCheck({ media: { store, credentials }, dataDir }: Config): Check {
  const run = async (): Promise<readonly Finding[]> => {
    if (store.kind === 'file') return checkFolder(resolve(store.folder ?? join(dataDir, 'media')));
    if (credentials === undefined) throw new Error('an S3 MEDIA_STORE has no credentials');
    const staged = await checkFolder(resolve(dataDir, 'media-incoming'));
    const options = { ...store, ...credentials, silenceLimitMs: answerTimeoutMs };
    return [await checkBucket((staging) => new S3Store({ ...options, staging })), ...staged];
  };
  const aws = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];
  return { name: 'media-store', variables: ['MEDIA_STORE', 'DATA_DIR', ...aws], run };
}

/** Creates nothing that stays: a folder made by another user than the service's would keep the service out. */
async function checkFolder(folder: string): Promise<readonly Finding[]> {
  const place = await existingPart(folder);
  const advice = 'Let the user of the service write there, or set another folder.';
  const probe = join(place, `.leadwire-doctor-${randomUUID()}`);
  try {
    await access(place, constants.R_OK | constants.W_OK | constants.X_OK);
    const handle = await open(probe, 'wx', 0o600);
    try {
      await handle.write('leadwire');
      await handle.datasync();
    } finally {
      await handle.close();
      await rm(probe, { force: true });
    }
  } catch (error) {
    return [failed(`The folder ${place} cannot be written: ${sentenceOf(error)}`, advice)];
  }
  const written =
    place === folder ? ok(`The folder ${folder} can be written.`) : ok(`The folder ${folder} can be made.`);
  const { bavail, bsize } = await statfs(place);
  const free = bavail * bsize;
  if (free >= leastFreeBytes) return [written];
  return [
    written,
    warning(`Only ${Math.floor(free / 1024 ** 2)} MiB are free there.`, 'Make room for files of messages.'),
  ];
}

/** The folder itself, or the nearest one above that exists. */
async function existingPart(folder: string): Promise<string> {
  try {
    await access(folder, constants.F_OK);
    return folder;
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(folder) === folder) return folder;
    return existingPart(dirname(folder));
  }
}

/** Writes, reads and removes one small object, and looks at the bucket: all that the service does there. */
async function checkBucket(storeOf: (staging: StagingFolder) => S3Store): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-doctor-'));
  try {
    const store = storeOf(new StagingFolder(folder));
    await store.start();
    const [key, content] = [{ tenantId: 'doctor', objectId: randomUUID() }, Buffer.from('leadwire doctor')];
    const path = join(folder, 'probe');
    await writeFile(path, content);
    await store.put(key, { path, size: content.length, sha256: createHash('sha256').update(content).digest() });
    const stream = await store.open(key);
    const read = stream === undefined ? undefined : await readLimited(stream, 1_024);
    await store.delete(key);
    if (read === content.toString()) return ok('Objects of the bucket can be written, read and removed.');
    return failed('What was written came back otherwise.', 'Look at what stands between this machine and the store.');
  } catch (error) {
    return failed(
      sentenceOf(error),
      'Let the key of AWS_ACCESS_KEY_ID see the bucket, and read, write and delete its objects.',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const healthSchema = z.object({ status: z.literal('ok'), version: z.string().optional() });

export function publicUrlCheck({ publicUrl, environment }: Config): Check {
  const run = async (signal: AbortSignal): Promise<readonly Finding[]> => {
    const isProduction = environment === 'production';
    if (publicUrl === undefined)
      return isProduction
        ? [
            warning(
              'PUBLIC_URL is not set.',
              'Set the address of the service: without it, uploaded files cannot be sent.',
            ),
          ]
        : [ok('PUBLIC_URL is not set: in development it is the port on `localhost`.')];
    const { protocol, hostname } = new URL(publicUrl);
    const isPlain = isProduction && protocol === 'http:' && !isLoopback(hostname);
    const plain = warning('PUBLIC_URL has no TLS: tokens pass in the clear.', 'Put a proxy with TLS in front.');
    return [await askHealth(publicUrl, signal), ...(isPlain ? [plain] : [])];
  };
  return { name: 'public-url', variables: ['PUBLIC_URL'], run };
}

export function webPushCheck({ webPush, publicUrl, environment }: Config): Check {
  const run = async (): Promise<Finding> => {
    if (webPush === undefined) return ok('WEB_PUSH_PRIVATE_KEY is not set: browsers are not notified while closed.');
    const isPlain = publicUrl?.startsWith('http:') === true && !isLoopback(new URL(publicUrl).hostname);
    if (environment === 'production' && isPlain)
      return warning(
        'Browsers offer push over https only.',
        'Put a proxy with TLS in front, or unset WEB_PUSH_PRIVATE_KEY.',
      );
    return ok(`Browsers subscribe to notifications with the key ${webPush.publicKey.slice(0, 12)}….`);
  };
  return { name: 'web-push', variables: ['WEB_PUSH_PRIVATE_KEY', 'WEB_PUSH_CONTACT', 'PUBLIC_URL'], run };
}

async function askHealth(publicUrl: string, signal: AbortSignal): Promise<Finding> {
  const url = `${publicUrl}/health/live`;
  let answer: Response;
  try {
    answer = await fetch(url, { redirect: 'manual', signal });
  } catch (error) {
    const found = `${url} does not answer: ${sentenceOf(error)}`;
    const advice = isCertificateError(error)
      ? certificateAdvice
      : 'Start the service and the proxy in front, or correct PUBLIC_URL.';
    // A refused connection is only a warning, because the service may not have been started yet.
    return codeOf(error) === 'ECONNREFUSED' ? warning(found, advice) : failed(found, advice);
  }
  const text = answer.body === null ? '' : await readLimited(answer.body, maxHealthBytes).catch(() => '');
  const health = healthSchema.safeParse(parse(text)).data;
  if (answer.status !== 200 || health === undefined)
    return failed(
      `${url} answers ${answer.status}, and not as Leadwire does.`,
      'Start the service, and let the proxy lead this path to it.',
    );
  if (health.version === undefined || health.version === productVersion) return ok('Leadwire answers there.');
  return warning(
    `Leadwire ${health.version} answers there.`,
    `Start version ${productVersion} there, or check from that one.`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
