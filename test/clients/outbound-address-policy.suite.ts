// The addresses at which gateways may be called: judged by the URL, by the DNS answer at the time of the call, and by the operator's list.

import type { LookupAddress } from 'node:dns';
import type { SendResult } from '../../src/providers/chat-gateway.js';
import {
  AddressRefusedError,
  OutboundAddressPolicy,
  type OutboundAddressOptions,
  type Resolve,
} from '../../src/clients/outbound-address-policy.js';
import { NeutralGateway } from '../../src/providers/neutral/gateway.js';
import { ConfigError, loadConfig } from '../../src/config/config.js';
import { ScriptedGateway, answering, outgoingText, type Script } from '../providers/scripted-gateway.js';

const production: OutboundAddressOptions = { allowedHosts: [], allowLoopback: false };
const development: OutboundAddressOptions = { allowedHosts: [], allowLoopback: true };

const check = (url: string, options = production) => new OutboundAddressPolicy(options).checkUrl(url);

export function describeOutboundAddressPolicy(): void {
  describe('a URL that is public', () => {
    test.each([
      'https://gateway.example',
      'http://gateway.example:8080/v1',
      'https://GATEWAY.example.',
      'https://internal.example',
      'https://local.example',
      'https://mylocalhost.example',
      'http://8.8.8.8',
      'http://11.0.0.1',
      'http://100.128.0.1',
      'http://172.32.0.1',
      'http://192.167.255.255',
      'http://[2606:4700:4700::1111]',
      'http://[2a00:1450::1]',
      'http://[::ffff:8.8.8.8]',
      'http://[64:ff9b::8.8.8.8]',
    ])('%s may be called', (url) => {
      expect(check(url)).toBeUndefined();
    });
  });

  const loopbackUrls = [
    'http://127.0.0.1',
    'http://127.255.255.254:8080',
    'http://localhost',
    'http://LOCALHOST.:4000',
    'http://gateway.localhost',
    'http://[::1]',
    'http://127.1',
    'http://0x7f.1',
    'http://2130706433',
    'http://017700000001',
    'http://①②⑦.0.0.1',
    'http://[::ffff:127.0.0.1]',
  ];

  const privateUrls = [
    'http://10.0.0.1',
    'http://10.255.255.255',
    'http://0xa000001',
    'http://012.0.0.1',
    'http://172.16.0.1',
    'http://172.31.255.255',
    'http://192.168.1.1',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1',
    'http://100.127.255.255',
    'http://0.0.0.0',
    'http://0',
    'http://192.0.0.8',
    'http://198.18.0.1',
    'http://203.0.113.1',
    'http://224.0.0.1',
    'http://255.255.255.255',
    'http://[::]',
    'http://[::7f00:1]',
    'http://[::ffff:10.0.0.1]',
    'http://[::ffff:a9fe:a9fe]',
    'http://[64:ff9b::10.0.0.1]',
    'http://[64:ff9b::a9fe:a9fe]',
    'http://[64:ff9b:1::1]',
    'http://[fc00::1]',
    'http://[fd12:3456::1]',
    'http://[fe80::1]',
    'http://[fec0::1]',
    'http://[ff02::1]',
    'http://[100::1]',
    'http://[2001::1]',
    'http://[2001:db8::1]',
    'http://[2002:7f00:1::]',
    'http://[3fff::1]',
    'http://gateway',
    'http://gateway.',
    'http://gateway.local',
    'http://GATEWAY.Internal',
    'http://metadata.google.internal',
    'http://router.home.arpa',
  ];

  describe('a URL that leads inwards', () => {
    test.each([...loopbackUrls, ...privateUrls])('%s is refused in production', (url) => {
      expect(check(url)).toMatch(/GATEWAY_ALLOWED_HOSTS/);
    });

    test.each(loopbackUrls)('%s may be called in development', (url) => {
      expect(check(url, development)).toBeUndefined();
    });

    test.each(privateUrls)('%s is refused in development too', (url) => {
      expect(check(url, development)).toMatch(/GATEWAY_ALLOWED_HOSTS/);
    });

    test.each(['ftp://gateway.example', 'file:///etc/passwd', 'gateway.example', '', 'http://'])(
      '"%s" is no URL of a gateway',
      (url) => {
        expect(check(url)).toMatch(/http/);
      },
    );
  });

  describe("the operator's list", () => {
    const allowed = (allowedHosts: string[]) => ({ ...production, allowedHosts });

    test.each([
      ['gateway.internal', 'http://gateway.internal:8080/v1'],
      ['Gateway.Internal.', 'http://GATEWAY.internal'],
      ['gateway', 'http://gateway:8080'],
      ['localhost', 'http://localhost:9'],
      ['10.1.2.3', 'http://10.1.2.3'],
      ['10.1.2.3', 'http://0x0a010203'],
      ['10.1.2.3', 'http://[::ffff:10.1.2.3]'],
      ['10.1.0.0/16', 'http://10.1.255.255'],
      ['10.1.2.3/16', 'http://10.1.0.1'],
      ['fd00::/8', 'http://[fd12::1]'],
      ['::1', 'http://[::1]'],
    ])('%s lets %s be called', (entry, url) => {
      expect(check(url)).toBeDefined();
      expect(check(url, allowed([entry]))).toBeUndefined();
    });

    test.each([
      ['gateway.internal', 'http://other.internal'],
      ['gateway.internal', 'http://a.gateway.internal'],
      ['internal', 'http://gateway.internal'],
      ['10.1.2.3', 'http://10.1.2.4'],
      ['10.1.0.0/16', 'http://10.2.0.1'],
      ['fd00::/16', 'http://[fd12::1]'],
      ['::1', 'http://127.0.0.1'],
    ])('%s does not let %s be called', (entry, url) => {
      expect(check(url, allowed([entry]))).toBeDefined();
    });

    test('several entries stand side by side', () => {
      const policy = new OutboundAddressPolicy(allowed(['gateway.internal', '10.1.0.0/16', 'fd00::/8']));
      for (const url of ['http://gateway.internal', 'http://10.1.0.1', 'http://[fd00::1]'])
        expect(policy.checkUrl(url)).toBeUndefined();
    });
  });

  /** A policy whose DNS gives these addresses for every name, with the list of names that it was asked for. */
  function policyResolving(addresses: string[], options: Partial<OutboundAddressOptions> = {}) {
    const asked: string[] = [];
    const found = addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
    const policy = new OutboundAddressPolicy({
      ...production,
      ...options,
      resolve: (hostname, _options, callback) => {
        asked.push(hostname);
        setImmediate(() => callback(null, found));
      },
    });
    return { policy, asked };
  }

  interface Found {
    error: Error | null;
    address: unknown;
    family: number | undefined;
  }

  function lookUp(policy: OutboundAddressPolicy, hostname: string, all: boolean): Promise<Found> {
    return new Promise((resolve) =>
      policy.lookup(hostname, { all }, (error, address, family) => resolve({ error, address, family })),
    );
  }

  describe('what DNS gives', () => {
    test('of several addresses the public ones are called', async () => {
      const { policy } = policyResolving(['10.0.0.1', '8.8.8.8', '::ffff:127.0.0.1', '2606:4700::1', 'fd00::1']);
      const permitted = [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1', family: 6 },
      ];
      expect(await lookUp(policy, 'gateway.example', true)).toMatchObject({ error: null, address: permitted });
      expect(await lookUp(policy, 'gateway.example', false)).toEqual({ error: null, address: '8.8.8.8', family: 4 });
    });

    test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0', '64:ff9b::a00:1'])(
      'a name that leads to %s alone is refused',
      async (address) => {
        const { policy } = policyResolving([address]);
        for (const all of [true, false]) {
          const { error } = await lookUp(policy, 'gateway.example', all);
          expect(error).toBeInstanceOf(AddressRefusedError);
          expect(error?.message).not.toContain(address);
        }
      },
    );

    test("a name on the operator's list may lead anywhere, and an address on it may come from any name", async () => {
      const named = policyResolving(['10.0.0.1'], { allowedHosts: ['gateway.internal'] });
      expect(await lookUp(named.policy, 'Gateway.internal', false)).toMatchObject({ address: '10.0.0.1' });
      const ranged = policyResolving(['10.1.0.1', '10.2.0.1'], { allowedHosts: ['10.1.0.0/16'] });
      expect(await lookUp(ranged.policy, 'gateway.example', true)).toMatchObject({
        address: [{ address: '10.1.0.1', family: 4 }],
      });
    });

    test('a name that DNS does not know is no refusal', async () => {
      const unknown = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
      const policy = new OutboundAddressPolicy({
        ...production,
        resolve: (_hostname, _options, callback) => callback(unknown, []),
      });
      expect((await lookUp(policy, 'gateway.example', true)).error).toBe(unknown);
    });

    test("the system's resolver is asked where no other is given", async () => {
      const address = [{ address: '8.8.8.8', family: 4 }];
      // An IP address needs no DNS query.
      expect(await lookUp(new OutboundAddressPolicy(production), '8.8.8.8', true)).toMatchObject({ address });
    });

    test.each(['localhost', 'LOCALHOST.', 'gateway.localhost'])(
      '%s is this machine, and nobody is asked',
      async (name) => {
        const resolve: Resolve = () => {
          throw new Error('asked');
        };
        const address = [
          { address: '127.0.0.1', family: 4 },
          { address: '::1', family: 6 },
        ];
        expect(await lookUp(new OutboundAddressPolicy({ ...development, resolve }), name, true)).toMatchObject({
          address,
        });
        expect(await lookUp(new OutboundAddressPolicy({ ...development, resolve }), name, false)).toMatchObject(
          address[0]!,
        );
        const refused = await lookUp(new OutboundAddressPolicy({ ...production, resolve }), name, true);
        expect(refused.error).toBeInstanceOf(AddressRefusedError);
      },
    );
  });

  const refused = { outcome: 'permanent', code: 'GATEWAY_ADDRESS_REFUSED' };

  describe('sending', () => {
    let gateway: ScriptedGateway;
    const ports: unknown[] = [];
    const accept = answering(200, { messageId: '3EB0' });
    let script: Script;

    beforeEach(async () => {
      ports.length = 0;
      script = accept;
      gateway = await ScriptedGateway.start((request, response) => {
        ports.push(response.socket?.remotePort);
        script(request, response);
      });
    });
    afterEach(() => gateway.close());

    function sendTo(driver: NeutralGateway, baseUrl: string): Promise<SendResult> {
      const endpoint = { baseUrl, token: 'the token', instanceName: 'acme' };
      return driver.send(endpoint, outgoingText, new AbortController().signal);
    }

    const driverOf = (addresses: OutboundAddressPolicy, trustedUrl?: string) =>
      new NeutralGateway({ timeoutMs: 10_000, addresses, trustedUrl });
    const named = (host: string) => gateway.url.replace('127.0.0.1', host);

    test('to a private address is refused for good, and nothing arrives', async () => {
      const result = await sendTo(driverOf(new OutboundAddressPolicy(production)), gateway.url);
      expect(result).toMatchObject({ ...refused, detail: expect.stringMatching(/address/) });
      expect(gateway.requests).toEqual([]);
    });

    test.each(['http', 'https'])(
      'to a name that leads inwards when it is called is refused for good: %s',
      async (scheme) => {
        const { policy, asked } = policyResolving(['127.0.0.1']);
        const url = named('gateway.example').replace('http:', `${scheme}:`);
        expect(policy.checkUrl(url)).toBeUndefined();
        const result = await sendTo(driverOf(policy), url);
        expect(result).toMatchObject(refused);
        expect(JSON.stringify(result)).not.toContain('127.0.0.1');
        expect(asked).toEqual(['gateway.example']);
        expect(gateway.requests).toEqual([]);
      },
    );

    test("to a name on the operator's list arrives, under that name", async () => {
      const { policy } = policyResolving(['127.0.0.1'], { allowedHosts: ['gateway.internal'] });
      const url = named('gateway.internal');
      expect(await sendTo(driverOf(policy), `${url}/v1`)).toEqual({ outcome: 'accepted', externalId: '3EB0' });
      expect(gateway.requests).toMatchObject([
        { path: '/v1/messages', headers: { host: new URL(url).host, authorization: 'Bearer the token' } },
      ]);
    });

    test('to the configured URL arrives wherever it leads; to another path of it, it does not', async () => {
      const driver = driverOf(new OutboundAddressPolicy(production), gateway.url);
      expect(await sendTo(driver, gateway.url)).toMatchObject({ outcome: 'accepted' });
      expect(await sendTo(driver, `${gateway.url}/admin`)).toMatchObject(refused);
      expect(gateway.requests).toHaveLength(1);
    });

    test('a connection is used again, but none of the configured gateway by a tenant', async () => {
      const driver = driverOf(new OutboundAddressPolicy(development), gateway.url);
      for (const url of [gateway.url, `${gateway.url}/v1`, gateway.url, `${gateway.url}/v1`]) {
        expect(await sendTo(driver, url)).toMatchObject({ outcome: 'accepted' });
      }
      const [trusted, entered] = ports;
      expect(trusted).not.toBe(entered);
      expect(ports).toEqual([trusted, entered, trusted, entered]);
    });

    test('a redirect inwards is not followed', async () => {
      script = answering(307, '', { location: `${gateway.url}/secret` });
      const driver = driverOf(new OutboundAddressPolicy(development));
      expect(await sendTo(driver, gateway.url)).toMatchObject({ outcome: 'permanent', code: 'HTTP_307' });
      expect(gateway.requests).toHaveLength(1);
    });

    test('an answer that asks for another protocol leaves it unknown', async () => {
      script = (_request, response) => {
        response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
      };
      const driver = driverOf(new OutboundAddressPolicy(development));
      expect(await sendTo(driver, gateway.url)).toMatchObject({ outcome: 'unknown', code: 'GATEWAY_UNREACHABLE' });
    });
  });

  describe('GATEWAY_ALLOWED_HOSTS', () => {
    const load = (value: string | undefined) =>
      loadConfig({ NODE_ENV: 'test', ENCRYPTION_KEY: 'ab'.repeat(32), GATEWAY_ALLOWED_HOSTS: value });

    test('is empty where it is not set', () => {
      expect(load(undefined).gateway.allowedHosts).toEqual([]);
    });

    test('takes names, addresses and ranges', () => {
      const { gateway } = load(' gateway.internal, gateway_2,10.1.0.0/16,10.0.0.1 ,fd00::/8,::1,localhost');
      expect(gateway.allowedHosts).toEqual([
        'gateway.internal',
        'gateway_2',
        '10.1.0.0/16',
        '10.0.0.1',
        'fd00::/8',
        '::1',
        'localhost',
      ]);
    });

    test.each([
      'http://gateway.internal',
      'gateway.internal:8080',
      'gateway.internal/v1',
      'gateway.internal/8',
      '*.internal',
      '10.1.0.0/33',
      '10.1.0.0/',
      '10.1.0/16',
      '10.1.0.256',
      '10.1',
      'fd00::/129',
      '[::1]',
      'a b',
      '-a.internal',
      `${'a'.repeat(64)}.internal`,
      'gateway.internal;10.0.0.1',
    ])('"%s" stops the start with a sentence that names the variable', (value) => {
      const start = () => load(`gateway.internal,${value}`);
      expect(start).toThrow(ConfigError);
      expect(start).toThrow(/^GATEWAY_ALLOWED_HOSTS has to .*\.$/);
    });
  });
}
