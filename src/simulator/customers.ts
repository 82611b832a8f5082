// Plays customers: they read our messages after a while, send fitting answers, and write by themselves. An answer is drawn as a change of
// knobs, and report-plan.ts carries it out.

import { DEFAULT_BEHAVIOUR, type SimulatorBehaviour } from './behaviour.schema.js';
import { answersTo, languageOf, languageOfNumber, LANGUAGES, PHRASES, type Language } from './customer-phrases.js';
import type { LeadMessage, OutgoingMessage } from './message.schema.js';
import { PLAYERS, type Player } from './players.js';
import { pictureAt } from './report-plan.js';
import type { SeededRandom } from './seeded-random.js';
import type { Timers } from './simulator-clock.js';

/** A person who may write to us. */
export interface Customer {
  readonly instance: string;
  /** The number as gateways write it. */
  readonly number: string;
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
}

export interface CustomersOptions {
  readonly timers: Timers;
  readonly random: SeededRandom;
  /** The messages that they write by themselves in a minute, on average; with 0, nobody is played. */
  readonly perMinute: number;
  /** True when a webhook address is set and there is room for more reports. */
  readonly mayWrite: () => boolean;
  /** Resolves with the id of what was written; never rejects. */
  readonly write: (message: LeadMessage) => Promise<string>;
  /** The variants of a player that an instance can play; a single `''` for a player without variants. */
  readonly playable: (player: string, instance: string) => readonly string[];
}

interface Known {
  readonly customer: Customer & { language: Language };
  /** The customer was introduced with its language, and has earlier conversations. */
  readonly isIntroduced: boolean;
  /** Our newest message to them. */
  ours?: string;
  /** The newest text that they wrote by themselves. */
  own?: { id: string; text: string };
}

/** The most customers that are known; the one without contact for longest is forgotten. */
const MAX_CUSTOMERS = 1_000;
/** A player for strangers meets so many new people of an instance before it takes one of them again. */
const FEW_STRANGERS = 10;
const MINUTE_MS = 60_000;
const HEARD_WITHIN_MS = { read: 12_000, answer: 25_000 };

/** Every second action is a player's, and players take turns: at 6 actions a minute, all are seen within ten minutes. */
const PLAYED_EVERY = 2;
/** The other actions, by their share in a hundred; the remainder is a text. */
const SHARES = { stranger: 6, reaction: 8, edit: 4, picture: 8, quote: 15 };

export class Customers {
  readonly #options: CustomersOptions;
  readonly #known = new Map<string, Known>();
  readonly #players: Player[];
  #filesUrl: string | undefined;
  #actions = 0;

  constructor(options: CustomersOptions) {
    this.#options = options;
    this.#players = options.random.fork().shuffle(PLAYERS);
  }

  get isPlaying(): boolean {
    return this.#options.perMinute > 0;
  }

  /** The number of known people. */
  get count(): number {
    return this.#known.size;
  }

  /** Starts writing, if customers are played; closing the timers ends it. @param filesUrl the address of their pictures */
  start(filesUrl: string): void {
    this.#filesUrl = filesUrl;
    if (this.isPlaying) this.#plan();
  }

  /** Makes people known: they may write from now on. Safe to repeat. */
  introduce(customers: readonly Customer[]): void {
    for (const customer of customers) this.#meet(customer, customer.language !== undefined);
  }

  /**
   * The behaviour for a message of ours, and the name of its recipient. Only knobs at their defaults are drawn, so that a knob that was
   * turned, and a special number, keep their effect.
   */
  hear(
    message: OutgoingMessage,
    messageId: string,
    behaviour: SimulatorBehaviour,
  ): { behaviour: SimulatorBehaviour; name?: string | undefined } {
    if (!this.isPlaying) return { behaviour };
    const { instance, to: number, text = message.media?.caption, media } = message;
    const known = this.#meet({ instance, number, language: languageOf(text) });
    known.ours = messageId;
    const random = this.#options.random.fork();
    const { customer } = known;
    const readDelayMs = 1_500 + random.upTo(HEARD_WITHIN_MS.read);
    const answers = answersTo(text, media !== undefined, customer.language);
    const drawn = {
      readDelayMs,
      replyDelayMs: readDelayMs + 2_000 + random.upTo(HEARD_WITHIN_MS.answer),
      changeDelayMs: readDelayMs + 1_000 + random.upTo(HEARD_WITHIN_MS.read),
      replyTexts: answers,
      replyRate: 0.7,
      quoteRate: 0.2,
      pictureRate: 0.06,
      reactionRate: 0.12,
      editRate: 0.04,
    };
    return { behaviour: { ...behaviour, ...withoutTurned(drawn, behaviour) }, name: customer.name };
  }

  /** The customers' next action: a message, a reaction or an edit. */
  drawAction(): LeadMessage {
    const random = this.#options.random.fork();
    const known = [...this.#known.values()];
    this.#actions += 1;
    const played = this.#actions % PLAYED_EVERY === 0 ? this.#drawPlay(known, random.fork()) : undefined;
    if (played !== undefined) return played;
    const action = random.upTo(99);
    const isStranger = known.length === 0 || action < SHARES.stranger;
    const person = isStranger ? this.#meet(drawStranger(random, known[0]?.customer.instance)) : random.pick(known);
    return this.#actionOf(person, action - SHARES.stranger, random);
  }

  /** The action of the next player that an instance of a known customer can play; the player goes to the end of the queue. */
  #drawPlay(known: readonly Known[], random: SeededRandom): LeadMessage | undefined {
    const { playable } = this.#options;
    const instances = [...new Set(known.map(({ customer }) => customer.instance))];
    const on = instances.length === 0 ? [DEFAULT_INSTANCE] : instances;
    const at = this.#players.findIndex(({ name }) => on.some((instance) => playable(name, instance).length > 0));
    const [player] = at === -1 ? [] : this.#players.splice(at, 1);
    if (player === undefined) return undefined;
    this.#players.push(player);
    const instance = random.pick(on.filter((one) => playable(player.name, one).length > 0));
    const isForStrangers = player.isForStrangers === true;
    const fit = known.filter((one) => one.customer.instance === instance && !(isForStrangers && one.isIntroduced));
    const isNew = fit.length < (isForStrangers ? FEW_STRANGERS : 1);
    const { customer } = isNew ? this.#meet(drawStranger(random, instance)) : random.pick(fit);
    const { number: from, name, language } = customer;
    const variant = random.pick(playable(player.name, instance));
    const who = { instance, from, language, ...(name === undefined ? {} : { name }) };
    return { ...who, player: player.name, ...(variant === '' ? {} : { variant }) };
  }

  #actionOf({ customer, isIntroduced, ours, own }: Known, action: number, random: SeededRandom): LeadMessage {
    const { instance, number, name, language } = customer;
    const { additions, openers, captions } = PHRASES[language];
    const lead = { instance, from: number };
    const named = name === undefined ? lead : { ...lead, name };
    if (ours !== undefined && within(action, 0, SHARES.reaction))
      return { ...lead, reaction: { messageId: ours, emoji: random.pick(DEFAULT_BEHAVIOUR.reactionEmojis) } };
    if (own !== undefined && within(action, SHARES.reaction, SHARES.edit))
      return { ...lead, edit: { messageId: own.id, text: `${own.text} 🙏` } };
    if (this.#filesUrl !== undefined && within(action, SHARES.reaction + SHARES.edit, SHARES.picture)) {
      const media = pictureAt(this.#filesUrl, random.text(8, '0123456789abcdef'), random.pick(captions));
      return { ...named, media };
    }
    const begins = !isIntroduced && ours === undefined && own === undefined;
    const text = random.pick(begins ? openers : additions);
    const quotes = ours !== undefined && random.upTo(99) < SHARES.quote;
    return quotes ? { ...named, text, replyTo: ours } : { ...named, text };
  }

  // Actions are between half and one and a half of the average interval apart.
  #plan(): void {
    const { timers, random, perMinute } = this.#options;
    const meanMs = MINUTE_MS / perMinute;
    timers.after(meanMs / 2 + random.upTo(Math.round(meanMs)), () => {
      this.#plan();
      if (this.#options.mayWrite()) void this.#act(this.drawAction());
    });
  }

  async #act(action: LeadMessage): Promise<void> {
    const id = await this.#options.write(action);
    const known = this.#known.get(action.from);
    if (known === undefined) return;
    // A message is edited once.
    if (action.edit !== undefined) delete known.own;
    else if (action.text !== undefined) known.own = { id, text: action.text };
  }

  #meet(customer: Customer, isIntroduced = false): Known {
    const before = this.#known.get(customer.number);
    const wasIntroduced = before?.isIntroduced === true;
    // An introduced customer goes on to speak its own language, whatever language we write in.
    const spoken = wasIntroduced && !isIntroduced ? undefined : customer.language;
    const language = spoken ?? before?.customer.language ?? languageOfNumber(customer.number);
    const name = customer.name ?? before?.customer.name;
    const known = { ...before, isIntroduced: isIntroduced || wasIntroduced, customer: { ...customer, language, name } };
    this.#known.delete(customer.number);
    this.#known.set(customer.number, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_CUSTOMERS && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }
}

const DEFAULT_INSTANCE = 'demo';

// The same number has the same name each time.
function drawStranger(random: SeededRandom, instance = DEFAULT_INSTANCE): Customer {
  const language = random.pick(LANGUAGES);
  const { numbers, names } = PHRASES[language];
  // The lowest endings are special numbers, so they are left out.
  const digits = String(13 + random.upTo(986)).padStart(3, '0');
  const number = numbers.replace('###', digits).replace('#', digits.slice(-1));
  return { instance, number, language, name: names[Number(number.slice(-2)) % names.length] };
}

function within(action: number, from: number, share: number): boolean {
  return action >= from && action < from + share;
}

function withoutTurned(drawn: Partial<SimulatorBehaviour>, behaviour: SimulatorBehaviour): Partial<SimulatorBehaviour> {
  const isTurned = (knob: string) =>
    behaviour[knob as keyof SimulatorBehaviour] !== DEFAULT_BEHAVIOUR[knob as keyof SimulatorBehaviour];
  return Object.fromEntries(Object.entries(drawn).filter(([knob]) => !isTurned(knob)));
}
