// The check of REDIS_URL for rate limits and notifications. It sets one key for a second, and publishes to a channel of its own.

import { randomUUID } from 'node:crypto';
import { within } from '../../platform/jobs/deadline.js';
import { openRedis, redisAddresses, type RedisClient } from '../../platform/events/redis-client.js';
import { codeOf, failed, ok, sentenceOf, warning, type Check, type Finding } from './check.js';

const hearTimeoutMs = 3_000;
const probeTtlMs = 1_000;
const probeKey = 'leadwire:doctor';

export function redisCheck(url: string | undefined, isProduction: boolean): Check {
  return {
    name: 'redis',
    variables: ['REDIS_URL'],
    run: async () => (url === undefined ? withoutRedis(isProduction) : withRedis(url)),
  };
}

function withoutRedis(isProduction: boolean): Finding {
  const found = 'REDIS_URL is not set: each process counts rate limits for itself.';
  return isProduction ? ok(`${found} That is right for one process.`) : ok(found);
}

async function withRedis(url: string): Promise<readonly Finding[]> {
  const clients: RedisClient[] = [];
  const open = () =>
    openRedis(
      url,
      (client) => void clients.push(client),
      () => undefined,
    );
  try {
    const client = await open();
    const facts = factsOf(await client.command<string>(undefined, 'INFO').catch(() => ''));
    const isCluster = redisAddresses(url).length > 1;
    const used = await checkUse({ client, subscriber: await open(), facts, isCluster });
    return [used, evictionOf(facts)].filter((finding) => finding !== undefined);
  } catch (error) {
    return [failed(`Redis cannot be used: ${sentenceOf(error)}`, adviceOn(error))];
  } finally {
    for (const client of clients) if (client.isOpen) client.destroy();
  }
}

interface Use {
  client: RedisClient;
  subscriber: RedisClient;
  facts: Facts;
  /** True when REDIS_URL names several nodes. */
  isCluster: boolean;
}

async function checkUse({ client, subscriber, facts, isCluster }: Use): Promise<Finding> {
  if (facts['role'] === 'slave')
    return failed('It is a replica, which takes no changes.', 'Let REDIS_URL lead to the primary.');
  if (facts['cluster_enabled'] === '1' && !isCluster)
    return failed('It is a node of a Redis Cluster.', 'Name several of its nodes in REDIS_URL, separated by commas.');
  await client.command(probeKey, 'SET', probeKey, '1', 'PX', String(probeTtlMs));
  const [channel, heard] = [`leadwire:doctor:${randomUUID()}`, Promise.withResolvers<boolean>()];
  await subscriber.subscribe(channel, () => heard.resolve(true));
  await client.command(undefined, 'PUBLISH', channel, '1');
  const isHeard = await within(hearTimeoutMs, heard.promise, () => false);
  if (!isHeard)
    return failed(
      'A subscriber heard nothing of what was published.',
      'Permit PUBLISH and SUBSCRIBE to the user of REDIS_URL.',
    );
  const version = facts['redis_version'];
  return ok(version === undefined ? 'Redis answers, and hides its version.' : `Redis ${version} answers.`);
}

/** Undefined when Redis does not tell its eviction policy. */
function evictionOf({ maxmemory_policy: policy, maxmemory }: Facts): Finding | undefined {
  if (policy === undefined) return undefined;
  if (maxmemory === '0') return ok('It keeps all keys: there is no memory limit.');
  if (policy === 'noeviction') return ok('It keeps all keys (noeviction).');
  return warning(
    `With its policy ${policy} it forgets counts of rate limits when its memory is full.`,
    'Set maxmemory-policy to noeviction: where Redis is full, each process counts for itself.',
  );
}

type Facts = Readonly<Record<string, string>>;

function factsOf(info: string): Facts {
  return Object.fromEntries([...info.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]));
}

function adviceOn(error: unknown): string {
  if (/NOAUTH|WRONGPASS/.test(sentenceOf(error))) return 'Correct user and password of REDIS_URL.';
  if (/NOPERM/.test(sentenceOf(error))) return 'Permit its user the keys and channels that begin with `leadwire:`.';
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') return 'Start Redis, or correct host and port of REDIS_URL.';
  if (code === 'ENOTFOUND') return 'Correct the host of REDIS_URL.';
  return 'Check REDIS_URL (`rediss://` for TLS), and whether this machine reaches the server.';
}
