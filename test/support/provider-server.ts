// The base of the servers that play chat providers: it keeps requests, and answers by itself or from a test's script.

import { ScriptedGateway, type Script, type ScriptedRequest } from '../providers/scripted-gateway.js';

export abstract class ProviderServer {
  /** Asked before the server's own answers; undefined leaves the answer to it. */
  script: ((request: ScriptedRequest) => Script | undefined) | undefined;
  private gateway: ScriptedGateway | undefined;

  /** Listens on a free loopback port. */
  protected async listen(): Promise<void> {
    this.gateway = await ScriptedGateway.start((request, response) => {
      const answer = this.script?.(request) ?? this.answer(request);
      answer(request, response);
    });
  }

  get url(): string {
    return this.listening.url;
  }

  get requests(): ScriptedRequest[] {
    return this.listening.requests;
  }

  close(): Promise<void> {
    return this.listening.close();
  }

  /** Answers every request alike from now on. */
  always(script: Script): void {
    this.script = () => script;
  }

  /** The provider's own answer. */
  protected abstract answer(request: ScriptedRequest): Script;

  private get listening(): ScriptedGateway {
    if (this.gateway === undefined) throw new Error('The server does not listen yet.');
    return this.gateway;
  }
}
