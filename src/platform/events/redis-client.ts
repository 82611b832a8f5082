// A client for Leadwire's commands to Redis or Valkey: to a single server, or to a cluster, whose nodes the address names. Each command is
// about one key, so a cluster needs no key of ours in the same slot as another.

export interface RedisClient {
  readonly isOpen: boolean;
  /** Sends a command about `key` to the server that has it. */
  command<Reply>(key: string | undefined, ...command: string[]): Promise<Reply>;
  subscribe(channel: string, listener: (text: string) => void): Promise<void>;
  /** Drops the connection at once. */
  destroy(): void;
}

const connectTimeoutMs = 2_000;

/** Splits REDIS_URL into addresses: several are nodes of one cluster. */
export function redisAddresses(url: string): string[] {
  return url.split(',').map((address) => address.trim());
}

/**
 * Connects to a server, or to every primary of a cluster.
 * @param onError called at each error of a connection
 */
export async function openRedis(
  url: string,
  onOpening: (client: RedisClient) => void,
  onError: (error: unknown) => void,
): Promise<RedisClient> {
  const addresses = redisAddresses(url);
  const [first = url] = addresses;
  return addresses.length > 1 ? openCluster(addresses, onOpening, onError) : openSingle(first, onOpening, onError);
}

// The client's own reconnecting never gives up on a server that accepts connections and says nothing.
const options = {
  disableOfflineQueue: true,
  maintNotifications: 'disabled',
  socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false },
} as const;

type Open = (onOpening: (client: RedisClient) => void, onError: (error: unknown) => void) => Promise<RedisClient>;

async function openSingle(url: string, ...[onOpening, onError]: Parameters<Open>): Promise<RedisClient> {
  // A process without Redis never loads its client, which takes a tenth of its start.
  const { createClient } = await import('@redis/client');
  const client = createClient({ ...options, url });
  const opened: RedisClient = {
    get isOpen() {
      return client.isOpen;
    },
    command: (_key, ...command) => client.sendCommand(command),
    subscribe: (channel, listener) => client.subscribe(channel, listener),
    destroy: () => client.destroy(),
  };
  onOpening(opened);
  client.on('error', onError);
  await client.connect();
  return opened;
}

async function openCluster(urls: readonly string[], ...[onOpening, onError]: Parameters<Open>): Promise<RedisClient> {
  const { createCluster } = await import('@redis/client');
  const { username, password, protocol } = new URL(urls[0] ?? '');
  const { socket, maintNotifications: _, ...plain } = options;
  const cluster = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    // Nodes that the cluster names have these options too.
    defaults: {
      ...plain,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      socket: protocol === 'rediss:' ? { ...socket, tls: true } : socket,
    },
  });
  const opened: RedisClient = {
    get isOpen() {
      return cluster.isOpen;
    },
    command: (key, ...command) => cluster.sendCommand(key, false, command),
    subscribe: (channel, listener) => cluster.subscribe(channel, listener),
    destroy: () => cluster.destroy(),
  };
  onOpening(opened);
  cluster.on('error', onError);
  await cluster.connect();
  // A primary that has gone fails here, until another one has taken its place.
  await Promise.all(cluster.masters.map(async (primary) => (await cluster.nodeClient(primary)).ping()));
  return opened;
}
