// Inputs that must not end the process: credentials that cannot be read, and requests that no honest client makes.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import {
  createLead,
  gatewayToken,
  send,
  until,
  waitForStatus,
  withSender,
} from '../features/messages/sending-harness.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { ServiceProcess } from './service-process.js';

export function describeHostileInput(): void {
  let simulator: GatewaySimulator;
  let api: TestApp;
  let tenant: TestTenant;
  let service: ServiceProcess;

  afterAll(() => service.end('SIGKILL'));
  withSender((sender) => ({ simulator, app: api, tenant } = sender), { PROCESS_ROLE: 'api' });
  beforeAll(startService);

  // After a case that ended the process, the next case gets a new process.
  afterEach(async () => {
    if (!service.isRunning) await startService();
  });

  async function startService(): Promise<void> {
    service = await ServiceProcess.start(api.database, { GATEWAY_URL: simulator.url, GATEWAY_TOKEN: gatewayToken });
  }

  /** Resolves when the process has answered, or died. */
  async function lives(): Promise<boolean> {
    const answer = await fetch(`${service.url}/health/live`).catch(() => undefined);
    return answer?.status === 200 && service.isRunning;
  }

  test.each([
    ['of another key', randomBytes(60)],
    ['cut short', randomBytes(5)],
    ['empty', Buffer.alloc(0)],
  ])('a gateway credential %s fails its own message, and the process lives', async (_name, ciphertext) => {
    const stuck = await api.createTenant();
    await api.sql('UPDATE chat_instances SET token_ciphertext = $2 WHERE id = $1', [stuck.instance.id, ciphertext]);
    const id = await send(api, stuck, { leadId: await createLead(api, stuck), body: 'Oi' });
    const isOver = async () => {
      const [row] = await api.sql<{ status: string; sentence: string | null }>(
        'SELECT status, error_message AS sentence FROM messages WHERE id = $1',
        [id],
      );
      return { ...row, isRunning: service.isRunning };
    };
    const outcome = await until(isOver, ({ status, isRunning }) => status === 'FAILED' || !isRunning);
    expect(outcome).toEqual({ status: 'FAILED', sentence: expect.stringMatching(/\w/), isRunning: true });
    await waitForStatus(api, await send(api, tenant, { leadId: await createLead(api, tenant), body: 'Oi' }), 'SENT');
  });

  test.each(['//', '///graphql', '/\\', 'http://[', '*', '/graphql?%', '/%', '/graphql#\u0001'])(
    'an upgrade request for "%s" is answered or cut, and the process lives',
    async (target) => {
      const socket = connectTcp(service.port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      const closed = once(socket, 'close');
      const answered = once(socket, 'data');
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      );
      await Promise.race([closed, answered.catch(() => undefined)]);
      socket.destroy();
      expect({ lives: await lives(), crash: service.crash }).toEqual({ lives: true, crash: '' });
    },
  );
}
