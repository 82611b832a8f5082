// A process receives the signal to end while callers use it. A caller that checks readiness moves to another process in time, and no call
// fails.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import WebSocket from 'ws';
import { until } from '../features/messages/sending-harness.js';
import { sharedApp } from '../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { ServiceProcess } from './service-process.js';

const callerCount = 8;
const path = '/webhooks/chat/gateway/inbound';

interface Answer {
  from: string;
  /** The HTTP status, or the error's message if there was none. */
  outcome: number | string;
  messageId: string;
}

export function describeDepartingProcess(): void {
  /** The process that stays. */
  let other: TestApp;
  let tenant: TestTenant;
  let service: ServiceProcess;

  beforeAll(async () => {
    other = await sharedApp({ PROCESS_ROLE: 'api' });
    tenant = await other.createTenant();
    // No test waits until the delay ends: a second signal ends it.
    service = await ServiceProcess.start(other.database, { PROCESS_ROLE: 'api', SHUTDOWN_DELAY_MS: '300000' });
  });

  afterAll(async () => {
    await service.end('SIGKILL');
  });

  interface Call {
    url: string;
    messageId: string;
    /** `false` opens a connection for this call alone. */
    agent: Agent | false;
    /** Holds up the call: the process has read its head by then, and waits for its body. */
    beforeBody?: () => Promise<void>;
  }

  /** Posts one message. @returns the head of the answer, after the whole answer has arrived */
  async function post({ url, messageId, agent, beforeBody }: Call): Promise<IncomingMessage> {
    const body = JSON.stringify({ messageId, from: '5511988887777', text: messageId });
    const headers: OutgoingHttpHeaders = {
      ...withKey(tenant),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(beforeBody === undefined ? {} : { expect: '100-continue' }),
    };
    const outgoing = request(`${url}${path}`, { method: 'POST', agent, headers });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    answered.catch(() => undefined);
    if (beforeBody !== undefined) {
      outgoing.flushHeaders();
      await once(outgoing, 'continue');
      await beforeBody();
    }
    outgoing.end(body);
    const [answer] = await answered;
    answer.resume();
    await once(answer, 'end');
    return answer;
  }

  /** Callers who keep their connections, and ask before each call which process to turn to. */
  class Callers {
    readonly answers: Answer[] = [];
    private stopping = false;
    private readonly running: Promise<void[]>;

    constructor(private readonly urlNow: () => string) {
      this.running = Promise.all(Array.from({ length: callerCount }, () => this.call()));
    }

    async finish(): Promise<void> {
      this.stopping = true;
      await this.running;
    }

    private async call(): Promise<void> {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!this.stopping) {
        const from = this.urlNow();
        const messageId = randomUUID();
        const outcome = await post({ url: from, messageId, agent }).then(
          ({ statusCode = 0 }) => statusCode,
          (error: Error) => error.message,
        );
        this.answers.push({ from, outcome, messageId });
      }
      agent.destroy();
    }
  }

  const readiness = async () => {
    const response = await fetch(`${service.url}/health/ready`);
    return { status: response.status, body: await response.json(), connection: response.headers.get('connection') };
  };

  const isRefused = () =>
    fetch(`${service.url}/health/live`).then(
      () => false,
      () => true,
    );

  test('SIGTERM: not ready at once, served on until callers have moved; what is under way is finished, sockets close with 1001', async () => {
    let current = service.url;
    const callers = new Callers(() => current);
    const answersOf = (url: string) => callers.answers.filter(({ from }) => from === url).length;
    await until(
      () => answersOf(service.url),
      (count) => count >= 5 * callerCount,
    );
    const socket = new WebSocket(`ws://127.0.0.1:${service.port}/graphql`, ['graphql-transport-ws']);
    await once(socket, 'open');
    const closed = once(socket, 'close');
    // A socket that does not sign in is closed after seconds, which a slow machine may take to come to its end.
    const authorization = `Bearer ${tenant.operator.token}`;
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
    await once(socket, 'message');
    expect(await readiness()).toMatchObject({ status: 200, connection: 'keep-alive' });

    service.signal('SIGTERM');
    const unready = { status: 503, body: { status: 'unavailable', down: ['draining'] }, connection: 'close' };
    await until(readiness, ({ status }) => status === 503);
    expect(await readiness()).toEqual(unready);
    const late = { url: service.url, messageId: randomUUID(), agent: false } as const;
    expect(await post(late)).toMatchObject({ statusCode: 200, headers: { connection: 'close' } });
    expect(socket.readyState).toBe(WebSocket.OPEN);
    current = other.url;
    await until(
      () => answersOf(other.url),
      (count) => count >= 2 * callerCount,
    );
    await callers.finish();

    const held = { ...late, messageId: randomUUID() };
    const answer = await post({
      ...held,
      beforeBody: async () => {
        service.signal('SIGTERM');
        await until(isRefused, Boolean);
      },
    });
    expect(answer).toMatchObject({ statusCode: 200, headers: { connection: 'close' } });
    expect((await closed)[0]).toBe(1001);
    expect({ ...(await service.ended), log: service.log }).toMatchObject({ code: 0, signal: null });

    expect(callers.answers.filter(({ outcome }) => outcome !== 200)).toEqual([]);
    const told = [...callers.answers, late, held].map(({ messageId }) => messageId);
    const stored = await other.sql<{ id: string }>('SELECT external_id AS id FROM messages');
    expect(stored.map(({ id }) => id).toSorted()).toEqual(told.toSorted());
  });
}
