// What sending a message costs in CPU time: of the process that sends, of PostgreSQL, and of the gateway. Unlike the clock, it hardly
// depends on what else the machine does.

import { pidOn, processCpuMs, serverCpuMs } from './postgres-processes.js';
import { median } from './side-by-side.js';

/** In milliseconds; in what `medians` gives, in microseconds for each message. */
export interface SendingCpu {
  sender: number;
  postgres: number;
  gateway: number;
}

/** Who is looked at. */
export interface SendingProcesses {
  senderPid: number;
  gatewayPid: number;
  /** Undefined: it uses none. Others leave the server alone during a turn. */
  databaseUrl?: string | undefined;
}

/** Keeps what each turn cost. */
export class SendingMeter {
  private readonly turns: SendingCpu[] = [];

  constructor(private readonly processes: SendingProcesses) {}

  /** Runs a turn of `count` messages. */
  async measure<Result>(count: number, turn: () => Promise<Result>): Promise<Result> {
    const before = await this.read();
    const result = await turn();
    const after = await this.read();
    const costOf = (part: keyof SendingCpu) => ((after[part] - before[part]) * 1_000) / count;
    this.turns.push({ sender: costOf('sender'), postgres: costOf('postgres'), gateway: costOf('gateway') });
    return result;
  }

  medians(): SendingCpu {
    const medianOf = (part: keyof SendingCpu) => median(this.turns.map((turn) => turn[part]));
    return { sender: medianOf('sender'), postgres: medianOf('postgres'), gateway: medianOf('gateway') };
  }

  private async read(): Promise<SendingCpu> {
    const { senderPid, gatewayPid, databaseUrl } = this.processes;
    return {
      sender: await processCpuMs(senderPid),
      postgres: databaseUrl === undefined ? 0 : await serverCpuMs(await pidOn(databaseUrl)),
      gateway: await processCpuMs(gatewayPid),
    };
  }
}
