// WAHA with a network that loses answers. It cuts the connection after it takes some messages, and before it takes others. It also keeps
// callers waiting, so that workers can be killed in between.

import type { ServerResponse } from 'node:http';
import type { Script, ScriptedRequest } from '../providers/scripted-gateway.js';
import { WahaServer, type WahaSend } from '../support/waha-server.js';

/** The period of the faults: in so many first arrivals, one is cut before WAHA takes it, and one after. */
const faultEvery = 10;

export class CuttingWaha extends WahaServer {
  /** The ids of each text's calls, in their order. */
  readonly idsOf = new Map<string, string[]>();
  lookUpCount = 0;
  cutCount = 0;
  private readonly open = new Map<ServerResponse, string>();
  private readonly held: (() => void)[] = [];
  private arrivals = 0;
  private quota = Infinity;

  static override async start(): Promise<CuttingWaha> {
    const server = new CuttingWaha();
    await server.listen();
    return server;
  }

  /** Sets the number of calls that are answered; later calls wait until the number grows. */
  answerUpTo(count: number): void {
    this.quota = count;
    for (const answer of this.held.splice(0)) answer();
  }

  /** The texts of the calls that wait for their answers and whose callers are alive. */
  get heldTexts(): string[] {
    return [...this.open.values()];
  }

  get callCount(): number {
    return this.arrivals;
  }

  protected override answer(request: ScriptedRequest): Script {
    if (request.path.includes('/chats/all/messages/')) this.lookUpCount += 1;
    return request.path === '/api/sendText' ? this.receive(request.body as WahaSend) : super.answer(request);
  }

  private receive(send: WahaSend): Script {
    const { text = '', id = '', chatId } = send;
    const ids = this.idsOf.get(text) ?? [];
    this.idsOf.set(text, [...ids, id]);
    this.arrivals += 1;
    const place = ids.length === 0 ? Number(text) % faultEvery : -1;
    return (request, response) => {
      this.open.set(response, text);
      response.on('close', () => this.open.delete(response));
      // WAHA takes half of the messages before their callers wait.
      const isTaken = place !== 1 && Number(text) % 2 === 0;
      if (isTaken) this.take(send);
      const finish = () => {
        if (place !== 1) this.take(send);
        const isCut = place === 1 || place === 2;
        if (isCut) this.cutCount += 1;
        if (isCut) response.destroy();
        else this.sent(id, chatId)(request, response);
      };
      if (this.arrivals <= this.quota) finish();
      else this.held.push(() => !response.destroyed && finish());
    };
  }
}
