// Resolving names that tenants may have entered, against a DNS server that the test plays.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { LookupAddress } from 'node:dns';
import { lookup as lookUpBySystem } from 'node:dns/promises';
import { OutboundAddressPolicy } from '../../src/clients/outbound-address-policy.js';
import { createNameResolver } from '../../src/clients/name-resolver.js';
import { until } from '../features/messages/sending-harness.js';

const types = { A: 1, AAAA: 28 } as const;

/**
 * The addresses of a name by record type, as bytes. An absent name is unknown, a `silent` one gets no answer, and a `late` record is
 * answered when a test says so.
 */
const names = new Map<string, { A: number[][] | 'late'; AAAA: number[][] | 'late' } | 'silent'>([
  ['both.example', { A: [[8, 8, 8, 8]], AAAA: [[0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]] }],
  [
    'four.example',
    {
      A: [
        [8, 8, 4, 4],
        [10, 0, 0, 1],
      ],
      AAAA: [],
    },
  ],
  ['late-six.example', { A: [[8, 8, 8, 8]], AAAA: 'late' }],
  ['late-four.example', { A: 'late', AAAA: [[0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]] }],
  ['late-four-alone.example', { A: 'late', AAAA: [] }],
  ['none.example', { A: [], AAAA: [] }],
  ['silent.example', 'silent'],
]);

const server = createSocket('udp4');
/** The names of all queries. */
const questions: string[] = [];
/** Callbacks that send the late answers. */
const late: (() => void)[] = [];

export function describeNameResolver(): void {
  beforeAll(async () => {
    server.on('message', (query, { port, address }) => {
      const answer = answerTo(query);
      if (answer === 'late') late.push(() => server.send(answerTo(query, [[10, 0, 0, 9]]) as Buffer, port, address));
      else if (answer !== undefined) server.send(answer, port, address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  function answerTo(query: Buffer, lateRecords?: number[][]): Buffer | 'late' | undefined {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at]; length !== undefined && length > 0; length = query[at]) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    const name = labels.join('.').toLowerCase();
    if (lateRecords === undefined) questions.push(name);
    const known = names.get(name);
    if (known === 'silent' || name.endsWith('.silent.example')) return undefined;
    const wanted = known === undefined ? [] : type === types.A ? known.A : known.AAAA;
    const records = wanted === 'late' ? lateRecords : wanted;
    if (records === undefined) return 'late';
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(records.length, 6);
    // The authority and additional sections are empty.
    head.fill(0, 8);
    const question = query.subarray(12, at + 5);
    const answers = records.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
    );
    return Buffer.concat([head, question, ...answers]);
  }

  const resolve = (timeoutMs = 20_000) =>
    createNameResolver({ timeoutMs, servers: [`127.0.0.1:${server.address().port}`] });

  const find = (name: string, timeoutMs?: number) =>
    new Promise<LookupAddress[]>((done, fail) =>
      resolve(timeoutMs)(name, { all: true }, (error, found) => (error === null ? done(found) : fail(error))),
    );

  test('all addresses of both kinds', async () => {
    expect(await find('both.example')).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
    expect(await find('four.example')).toEqual([
      { address: '8.8.4.4', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]);
  });

  const sendLate = () => {
    for (const send of late.splice(0)) send();
  };

  test.each([
    ['late-six.example', { address: '8.8.8.8', family: 4 }],
    ['late-four.example', { address: '2606:4700::1', family: 6 }],
  ])('an address is enough where DNS is silent about the other kind: %s', async (name, address) => {
    expect(await find(name)).toEqual([address]);
    // Without the late answer, the resolver would send its query again.
    sendLate();
  });

  test('where one kind has no address, the other is waited for', async () => {
    const found = find('late-four-alone.example');
    await until(
      () => late.length,
      (count) => count > 0,
    );
    sendLate();
    expect(await found).toEqual([{ address: '10.0.0.9', family: 4 }]);
  });

  test.each(['none.example', 'unknown.example'])('%s has none', async (name) => {
    await expect(find(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('a server that is silent is waited for no longer than the given time, and is no answer', async () => {
    await expect(find('silent.example', 50)).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });

  test('many who ask for one name at once, and soon after, are one question of each kind', async () => {
    const lookUp = resolve();
    const findAgain = (name: string) =>
      new Promise<LookupAddress[]>((done, fail) =>
        lookUp(name, { all: true }, (error, found) => (error === null ? done(found) : fail(error))),
      );
    questions.length = 0;
    const writings = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? 'both.example' : 'BOTH.example'));
    const found = await Promise.all(writings.map(findAgain));
    expect(new Set(found.map((addresses) => addresses.length))).toEqual(new Set([2]));
    // A caller that changes its list does not change the others' lists.
    found[0]?.splice(0);
    expect(await findAgain('both.example')).toHaveLength(2);
    await expect(findAgain('unknown.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(findAgain('unknown.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(questions.toSorted()).toEqual(['both.example', 'both.example', 'unknown.example', 'unknown.example']);
  });

  test('names of a silent server hold nobody up: not another name, this machine, or what the system looks up', async () => {
    const policy = new OutboundAddressPolicy({ allowedHosts: [], allowLoopback: true, resolveUnlisted: resolve(500) });
    const lookUp = (name: string) =>
      new Promise((done, fail) =>
        policy.lookup(name, { all: true }, (error, found) => (error === null ? done(found) : fail(error))),
      );
    const silent = Promise.allSettled(Array.from({ length: 100 }, (_, index) => lookUp(`${index}.silent.example`)));
    expect(await lookUp('four.example')).toEqual([{ address: '8.8.4.4', family: 4 }]);
    expect(await lookUp('localhost')).toHaveLength(2);
    expect(await lookUpBySystem('localhost')).toHaveProperty('address');
    expect(new Set((await silent).map(({ status }) => status))).toEqual(new Set(['rejected']));
  });

  test('of what it finds the policy lets public addresses be called; names on the list are left to the system', async () => {
    const options = { allowedHosts: ['listed.internal'], allowLoopback: true };
    const system: string[] = [];
    const policy = new OutboundAddressPolicy({
      ...options,
      resolve: (name, _options, callback) => {
        system.push(name);
        callback(null, [{ address: '10.9.9.9', family: 4 }]);
      },
      resolveUnlisted: resolve(),
    });
    const lookUp = (name: string) =>
      new Promise((done, fail) =>
        policy.lookup(name, { all: true }, (error, found) => (error === null ? done(found) : fail(error))),
      );
    expect(await lookUp('four.example')).toEqual([{ address: '8.8.4.4', family: 4 }]);
    expect(await lookUp('listed.internal')).toEqual([{ address: '10.9.9.9', family: 4 }]);
    expect(system).toEqual(['listed.internal']);
  });
}
