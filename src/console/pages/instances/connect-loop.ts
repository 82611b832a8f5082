// Connects an instance: asks repeatedly until it is connected, so that current codes replace expired ones.

export type InstanceStatus = 'CONNECTED' | 'DEGRADED' | 'CONNECTING' | 'DISCONNECTED' | 'ERROR' | 'INACTIVE';

export interface ConnectAnswer {
  status: InstanceStatus;
  /** A picture as a data URL, or the text of the code. */
  qr: string | null;
  pairingCode: string | null;
  lastError: string | null;
}

/** `timeout` means that no phone scanned the code in time. */
export type ConnectEnd = 'connected' | 'refused' | 'timeout' | 'left';

interface ConnectLoop {
  ask: () => Promise<ConnectAnswer>;
  onAnswer: (answer: ConnectAnswer) => void;
  /** Returns true if a failure is temporary. The loop then continues. */
  isPassing: (error: unknown) => boolean;
  onTrouble: (error: unknown) => void;
  pause: (ms: number) => Promise<unknown>;
  isLeft: () => boolean;
}

const betweenMs = 4_000;
/** The loop ends after about five minutes. */
const maxAsks = 75;

/** @throws any error of `ask` that is not temporary: the gateway refuses, or the user lacks the right */
export async function connectUntilOver(loop: ConnectLoop): Promise<ConnectEnd> {
  const { ask, onAnswer, isPassing, onTrouble, pause, isLeft } = loop;
  for (let asked = 0; asked < maxAsks; asked += 1) {
    if (asked > 0) await pause(betweenMs);
    if (isLeft()) return 'left';
    try {
      const answer = await ask();
      if (isLeft()) return 'left';
      onAnswer(answer);
      if (answer.status === 'CONNECTED') return 'connected';
      if (answer.status !== 'CONNECTING') return 'refused';
    } catch (error) {
      if (isLeft()) return 'left';
      if (!isPassing(error)) throw error;
      onTrouble(error);
    }
  }
  return 'timeout';
}
