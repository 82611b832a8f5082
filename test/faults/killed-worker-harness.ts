// A gateway that holds its answers, an application that takes messages in, and processes that send them and end.

import type { ServerResponse } from 'node:http';
import { ScriptedGateway } from '../providers/scripted-gateway.js';
import { gatewayToken, startSender } from '../features/messages/sending-harness.js';
import type { TestApp, TestEnvironment, TestTenant } from '../support/test-app.js';
import { ServiceProcess } from './service-process.js';

/** Accepts at once, with one id for each key, and answers on demand. */
class HoldingGateway {
  readonly held: { key: string; release: () => void }[] = [];
  readonly ids = new Map<string, string>();
  holds = true;
  readonly keys: string[] = [];

  receive(key: string, response: ServerResponse): void {
    this.keys.push(key);
    const messageId = this.ids.get(key) ?? `provider-${this.ids.size + 1}`;
    this.ids.set(key, messageId);
    const release = () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ messageId }));
    };
    if (this.holds) this.held.push({ key, release });
    else release();
  }
}

/** Belongs to one test file. `holding` is new for each test, and the processes of a test end with it. */
export class KilledWorkerStage {
  holding = new HoldingGateway();
  private processes: ServiceProcess[] = [];

  private constructor(
    readonly gateway: ScriptedGateway,
    readonly api: TestApp,
    readonly tenant: TestTenant,
  ) {}

  static async start(): Promise<KilledWorkerStage> {
    let stage: KilledWorkerStage | undefined;
    const gateway = await ScriptedGateway.start(({ headers }, response) => {
      stage?.holding.receive(String(headers['idempotency-key']), response);
    });
    const api = await startSender(gateway, { PROCESS_ROLE: 'api' });
    stage = new KilledWorkerStage(gateway, api, await api.createTenant());
    return stage;
  }

  async startProcess(role: string, further: TestEnvironment = {}): Promise<ServiceProcess> {
    const environment = { PROCESS_ROLE: role, GATEWAY_URL: this.gateway.url, GATEWAY_TOKEN: gatewayToken, ...further };
    const service = await ServiceProcess.start(this.api.database, environment);
    this.processes.push(service);
    return service;
  }

  /** Ends the processes after each test. */
  async endProcesses(): Promise<void> {
    await Promise.all(this.processes.map((service) => service.end('SIGKILL')));
    this.processes = [];
    this.holding = new HoldingGateway();
  }

  async stop(): Promise<void> {
    await this.gateway.close();
    await this.api.stop();
  }
}

/** Gives a test file a stage. `assign` gets it before the first test. */
export function withKilledWorkerStage(assign: (stage: KilledWorkerStage) => void): void {
  let stage: KilledWorkerStage;
  beforeAll(async () => assign((stage = await KilledWorkerStage.start())));
  afterEach(() => stage.endProcesses());
  afterAll(() => stage.stop());
}
