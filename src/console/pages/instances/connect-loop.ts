// Connecting an instance: asks until it is connected, so that codes which expire are replaced by the current ones.

export type InstanceStatus = 'CONNECTED' | 'DEGRADED' | 'CONNECTING' | 'DISCONNECTED' | 'ERROR' | 'INACTIVE';

export interface ConnectAnswer {
  status: InstanceStatus;
  /** A picture as a data URL, or the text to draw. */
  qr: string | null;
  pairingCode: string | null;
  lastError: string | null;
}

/** `timeout`: nobody has scanned for so long that it stops. */
export type ConnectEnd = 'connected' | 'refused' | 'timeout' | 'left';

interface ConnectLoop {
  ask: () => Promise<ConnectAnswer>;
  onAnswer: (answer: ConnectAnswer) => void;
  /** Whether a failure passes: then it goes on. */
  isPassing: (error: unknown) => boolean;
  onTrouble: (error: unknown) => void;
  pause: (ms: number) => Promise<unknown>;
  isLeft: () => boolean;
}

const betweenMs = 4_000;
/** About five minutes. */
const maxAsks = 75;

/** @throws what `ask` throws and does not pass: the gateway refuses, or this user may not */
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
