// Sockets have to find the same address as Express, or a caller has two buckets: the tests ask both for every case.

import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { addressReader, requestAddress, type TrustProxy } from '../../src/transport/http/client-address.js';

/** The addresses that both readers find for a request with this `X-Forwarded-For`. */
async function readings(trustProxy: TrustProxy, forwardedFor: string | undefined): Promise<(string | undefined)[]> {
  const read = addressReader(trustProxy);
  const app = express().set('trust proxy', trustProxy);
  app.use((req, res) => void res.json([read(req) ?? null, requestAddress(req) ?? null]));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers });
    return (await response.json()) as string[];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export function describeClientAddress(): void {
  test.each<[TrustProxy, string | undefined, string]>([
    [false, undefined, '127.0.0.1'],
    [false, '203.0.113.1', '127.0.0.1'],
    [1, undefined, '127.0.0.1'],
    [1, '203.0.113.1', '203.0.113.1'],
    [1, '203.0.113.1, 203.0.113.2', '203.0.113.2'],
    [2, '203.0.113.1, 203.0.113.2', '203.0.113.1'],
    [2, '203.0.113.1, 203.0.113.2, 203.0.113.3', '203.0.113.2'],
    [1, '2001:db8::1', '2001:db8::1'],
    [1, 'unknown', '127.0.0.1'],
    [1, '203.0.113.1:4711', '127.0.0.1'],
    ['loopback', '203.0.113.1', '203.0.113.1'],
    ['loopback', '203.0.113.1, 127.0.0.2', '203.0.113.1'],
    ['loopback, 10.0.0.0/8', '198.51.100.1, 203.0.113.1, 10.1.2.3', '203.0.113.1'],
    ['10.0.0.0/8', '203.0.113.1', '127.0.0.1'],
  ])('TRUST_PROXY=%s, X-Forwarded-For: %s', async (trustProxy, forwardedFor, expected) => {
    expect(await readings(trustProxy, forwardedFor)).toEqual([expected, expected]);
  });

  test('a proxy that is no address stops the start', () => {
    expect(() => addressReader('proxy.example')).toThrow(TypeError);
  });

  test.each<TrustProxy>([false, 1, 'loopback'])(
    'a connection that is gone has no address (TRUST_PROXY=%s)',
    async (trust) => {
      const server = express().listen(0, '127.0.0.1');
      await once(server, 'listening');
      server.removeAllListeners('request');
      const outgoing = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
      outgoing.on('error', () => undefined).end();
      const [incoming] = await once(server, 'request');
      incoming.socket.destroy();
      await once(incoming.socket, 'close');
      expect(addressReader(trust)(incoming)).toBeUndefined();
      server.close();
    },
  );
}
