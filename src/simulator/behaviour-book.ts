// Owns the behaviour in force: the simulator's own, changed by instance and then by the special case of a message.
// Meanings and bounds are in behaviour.schema.ts.

import { behaviourChangeSchema, DEFAULT_BEHAVIOUR, type SimulatorBehaviour } from './behaviour.schema.js';
import { BoundedMap } from './bounded-memory.js';
import { findSpecialCase } from './special-cases.js';

type BehaviourChange = Partial<SimulatorBehaviour>;

/** Changes count from the next request or report on. Input with an unknown knob or out of bounds is a ZodError. */
export class BehaviourBook {
  readonly #initial: SimulatorBehaviour;
  readonly #byInstance: BoundedMap<string, BehaviourChange>;
  #shared: SimulatorBehaviour;

  /** `capacity` bounds how many instances may have a behaviour of their own. */
  constructor(initial: BehaviourChange, capacity: number) {
    this.#initial = { ...DEFAULT_BEHAVIOUR, ...behaviourChangeSchema.parse(initial) };
    this.#shared = this.#initial;
    this.#byInstance = new BoundedMap(capacity);
  }

  /** The behaviour in force for an instance; without a name, for every instance that has no change of its own. */
  get(instance?: string): SimulatorBehaviour {
    return instance === undefined ? this.#shared : { ...this.#shared, ...this.#byInstance.get(instance) };
  }

  /** The behaviour in force for one message. */
  getForMessage(message: { instance: string; to: string; text?: string | undefined }): SimulatorBehaviour {
    const behaviour = this.get(message.instance);
    if (!behaviour.specialNumbers) return behaviour;
    return { ...behaviour, ...findSpecialCase(message.to, message.text)?.change };
  }

  /** Changes the knobs named and leaves the others; returns what is then in force. */
  change(input: unknown, instance?: string): SimulatorBehaviour {
    const change = behaviourChangeSchema.parse(input);
    if (instance === undefined) this.#shared = { ...this.#shared, ...change };
    else this.#byInstance.set(instance, { ...this.#byInstance.get(instance), ...change });
    return this.get(instance);
  }

  /** Sets the knobs named and takes back every earlier change to the others. */
  replace(input: unknown, instance?: string): SimulatorBehaviour {
    const change = behaviourChangeSchema.parse(input);
    if (instance === undefined) this.#shared = { ...this.#initial, ...change };
    else this.#byInstance.set(instance, change);
    return this.get(instance);
  }
}
