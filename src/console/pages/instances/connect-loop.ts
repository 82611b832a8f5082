// Connecting an instance: asks until it is connected, so that codes which expire are replaced by the current ones.

import { RequestError } from '../../api/request-error.js';

export type InstanceStatus = 'CONNECTED' | 'CONNECTING' | 'DISCONNECTED' | 'ERROR' | 'INACTIVE';

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
  /** A failure that passes: it goes on. */
  onTrouble: (error: RequestError) => void;
  pause: (ms: number) => Promise<unknown>;
  isLeft: () => boolean;
}

const betweenMs = 4_000;
/** About five minutes. */
const maxAsks = 75;

/** @throws RequestError the gateway refuses, or this user may not */
export async function connectUntilOver({ ask, onAnswer, onTrouble, pause, isLeft }: ConnectLoop): Promise<ConnectEnd> {
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
      if (!(error instanceof RequestError) || !error.isTemporary) throw error;
      onTrouble(error);
    }
  }
  return 'timeout';
}
