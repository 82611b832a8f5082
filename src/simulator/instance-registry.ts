// Owns the simulator's chat instances and their lifecycle. Knobs come from the behaviour in force at the moment of a connect.

import type { SimulatorBehaviour } from './behaviour.schema.js';
import { BoundedMap } from './bounded-memory.js';
import type { SeededRandom } from './seeded-random.js';
import type { Timers } from './simulator-clock.js';

export type InstanceStatus = 'CONNECTING' | 'CONNECTED' | 'DISCONNECTED' | 'ERROR';

/** An instance's state, as `GET /instances/{name}` answers it. */
export interface InstanceState {
  status: InstanceStatus;
  lastError?: string;
}

/** The answer to a connect: while CONNECTING, it holds the codes that the phone's owner would scan or type. */
export interface InstanceConnection {
  status: InstanceStatus;
  qr?: string;
  pairingCode?: string;
}

interface Instance extends InstanceState {
  pairingCode: string;
  needsScan: boolean;
  cancelConnect: () => void;
}

const PAIRING_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Names are shared by all tenants, as on a real gateway. An instance that is used without a connect is CONNECTED at once. */
export class InstanceRegistry {
  readonly #instances: BoundedMap<string, Instance>;
  readonly #timers: Timers;
  readonly #random: SeededRandom;
  readonly #onChange: (name: string, state: InstanceState & InstanceConnection) => void;

  /**
   * `capacity` instances are remembered; a forgotten instance starts again.
   * @param onChange receives each new status
   */
  constructor(
    timers: Timers,
    random: SeededRandom,
    capacity: number,
    onChange: (name: string, state: InstanceState & InstanceConnection) => void = () => {},
  ) {
    this.#timers = timers;
    this.#random = random;
    this.#onChange = onChange;
    this.#instances = new BoundedMap(capacity);
  }

  get(name: string): InstanceState {
    const { status, lastError } = this.#use(name, 'CONNECTED');
    return lastError === undefined ? { status } : { status, lastError };
  }

  /** True when the instance exists; never creates it. */
  has(name: string): boolean {
    return this.#instances.get(name) !== undefined;
  }

  /** Creates an instance that is not connected. @returns false when the name is taken */
  create(name: string): boolean {
    if (this.has(name)) return false;
    this.#use(name, 'DISCONNECTED');
    return true;
  }

  /** Safe to repeat: a connected instance stays so, and one that is connecting keeps its code and its time. */
  connect(name: string, behaviour: SimulatorBehaviour): InstanceConnection {
    const instance = this.#use(name, 'DISCONNECTED');
    if (instance.status === 'CONNECTED') return { status: 'CONNECTED' };
    if (instance.status !== 'CONNECTING') this.#startConnecting(name, instance, behaviour);
    return { status: instance.status, qr: drawPairingCard(instance), pairingCode: instance.pairingCode };
  }

  /** Safe to repeat. A connect under way is called off. */
  disconnect(name: string): InstanceState {
    const instance = this.#use(name, 'DISCONNECTED');
    instance.cancelConnect();
    const isNew = instance.status !== 'DISCONNECTED';
    instance.status = 'DISCONNECTED';
    delete instance.lastError;
    if (isNew) this.#onChange(name, { status: instance.status });
    return { status: instance.status };
  }

  /** Forgets an instance: a connect under way is called off. */
  delete(name: string): void {
    this.disconnect(name);
    this.#instances.delete(name);
  }

  /** Completes a connect under way, as the phone's owner does by scanning. May be repeated. */
  scan(name: string): InstanceState {
    const instance = this.#use(name, 'DISCONNECTED');
    if (instance.status === 'CONNECTING') {
      instance.cancelConnect();
      instance.status = 'CONNECTED';
      this.#onChange(name, { status: instance.status });
    }
    return this.get(name);
  }

  /** Sets the state of an instance whose past this process has not seen. CONNECTING starts a connect, which waits as `behaviour` says. */
  restore(name: string, { status, lastError }: InstanceState, behaviour: SimulatorBehaviour): void {
    const instance = this.#use(name, status);
    instance.cancelConnect();
    if (status === 'CONNECTING') return this.#startConnecting(name, instance, behaviour);
    instance.status = status;
    delete instance.lastError;
    if (lastError !== undefined) instance.lastError = lastError;
  }

  #use(name: string, firstStatus: InstanceStatus): Instance {
    return this.#instances.getOrCreate(name, () => ({
      status: firstStatus,
      pairingCode: '',
      needsScan: false,
      cancelConnect: () => {},
    }));
  }

  #startConnecting(name: string, instance: Instance, behaviour: SimulatorBehaviour): void {
    const random = this.#random.fork();
    const fails = random.chance(behaviour.connectFailRate);
    instance.pairingCode = `${random.text(4, PAIRING_ALPHABET)}-${random.text(4, PAIRING_ALPHABET)}`;
    instance.status = 'CONNECTING';
    instance.needsScan = behaviour.needsScan;
    instance.cancelConnect = () => {};
    delete instance.lastError;
    const { status, pairingCode } = instance;
    this.#onChange(name, { status, pairingCode, qr: drawPairingCard(instance) });
    if (behaviour.needsScan) return;
    instance.cancelConnect = this.#timers.after(behaviour.connectDelayMs, () => {
      instance.status = fails ? 'ERROR' : 'CONNECTED';
      if (fails) instance.lastError = `The simulator lets ${name} fail to connect, as its knobs say`;
      this.#onChange(name, this.get(name));
    });
  }
}

// There is nothing to scan, and a picture that looks scannable would only mislead: the card says so instead.
function drawPairingCard({ pairingCode, needsScan }: Pick<Instance, 'pairingCode' | 'needsScan'>): string {
  const hint = needsScan ? 'It waits for POST /simulator/…/scan' : 'Nothing to scan: it connects by itself';
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240" font-family="sans-serif" text-anchor="middle">' +
    '<rect width="240" height="240" fill="#fff" stroke="#000"/><text x="120" y="90" font-size="15">Gateway simulator</text>' +
    `<text x="120" y="130" font-size="24">${pairingCode}</text>` +
    `<text x="120" y="165" font-size="12">${hint}</text></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
