// Owns the play of a player: whether an instance's protocol has its steps, and the steps as reports, each at its time. The players stand
// in players.ts.

import type { SimulatorBehaviour } from './behaviour.schema.js';
import { languageOfNumber } from './customer-phrases.js';
import { dressOf } from './dress.js';
import { hasForm, type FormLead } from './form-leads.js';
import { GatewayError } from './gateway-error.js';
import type { LeadMessage, WebhookTarget } from './message.schema.js';
import { PLAYERS, type Player } from './players.js';
import type { Step } from './player-steps.js';
import { drawMessageId, makeInboundReport, nameOf, type PlannedReport } from './report-plan.js';
import { SeededRandom } from './seeded-random.js';
import type { Wire } from './message-history.js';

/** A player by its name, and one of its variants. */
interface Part {
  readonly player: string;
  readonly variant?: string | undefined;
}

interface PlayOptions {
  /** The behaviour in force for the instance. */
  readonly behaviour: SimulatorBehaviour;
  readonly target: WebhookTarget;
  readonly random: SeededRandom;
  readonly now: number;
  /** The address of the leads' files. */
  readonly filesUrl: string;
  /** Keeps a lead whose answers callers may ask for. */
  readonly keepForm: (lead: FormLead) => void;
}

type PlayedReport = Extract<PlannedReport, { kind: 'inbound' | 'form' }>;

/** The delay between the steps of a play. */
const DEFAULT_DELAY_MS = 5_000;
const FORM_ID_DIGITS = 15;

const BY_NAME = new Map(PLAYERS.map((player) => [player.name, player]));

/** The variants of a player that an instance with this target can play; a single `''` for a player without variants. */
export function playableVariants(name: string, target: WebhookTarget): string[] {
  const player = BY_NAME.get(name);
  return player === undefined ? [] : (player.variants ?? ['']).filter((variant) => canPlay(player, variant, target));
}

/**
 * The reports of a play, in their order: at least one. The first is due now.
 * @throws GatewayError 400 for an unknown name, 409 when the instance's protocol has no form of the play
 */
export function planPlay(said: LeadMessage & Part, options: PlayOptions): PlayedReport[] {
  const { random, target, now, filesUrl } = options;
  const player = findPlayer(said);
  const playable = playableVariants(player.name, target);
  const variant = said.variant ?? (playable.length === 0 ? '' : random.pick(playable));
  if (!playable.includes(variant)) throw notPlayable(said, target);
  const { from, language = languageOfNumber(from) } = said;
  const scene = { variant, language, from, random, filesUrl, now };
  const steps = player.stepsOf(scene).filter(({ wire }) => isTold(wire, target));
  const delayMs = said.delayMs ?? DEFAULT_DELAY_MS;
  let [id, dueAt] = [drawMessageId(random), now];
  return steps.map((step, index) => {
    if (index > 0 && step.hasSameId !== true) id = drawMessageId(random);
    if (step.isLater === true) dueAt += delayMs;
    return step.wire?.form === undefined
      ? { ...reportOf(said, step, { id, dueAt, options }), dueAt }
      : { ...formOf(said, step.wire.form, { variant, dueAt, options }), dueAt };
  });
}

function findPlayer({ player: name, variant }: Part): Player {
  const player = BY_NAME.get(name);
  if (player === undefined) throw wrongField('player', `has to be one of: ${[...BY_NAME.keys()].join(', ')}`);
  const { variants = [] } = player;
  if (variant === undefined || variants.includes(variant)) return player;
  throw wrongField('variant', variants.length === 0 ? `${name} has none` : `has to be one of: ${variants.join(', ')}`);
}

function wrongField(name: string, problem: string): GatewayError {
  return new GatewayError(400, 'validation_failed', `${name}: ${problem}`);
}

interface Moment {
  readonly dueAt: number;
  readonly options: PlayOptions;
}

function reportOf(said: LeadMessage, step: Step, { id, dueAt, options }: Moment & { id: string }) {
  const { instance, from, name, lid } = said;
  const { text, media, wire, agoMs = 0 } = step;
  const content = { ...(text === undefined ? {} : { text }), ...(media === undefined ? {} : { media }) };
  const who = { instance, from: step.from ?? from, name: name ?? nameOf(from), lid };
  const lead = { ...who, ...content, wire, messageId: id, writtenAt: dueAt - agoMs };
  return makeInboundReport(lead, options.behaviour, options.random);
}

function formOf(
  { instance, from: number, name = nameOf(number) }: LeadMessage,
  form: FormLead['form'],
  { variant, dueAt: at, options }: Moment & { variant: string },
) {
  const id = `9${options.random.text(FORM_ID_DIGITS, '0123456789')}`;
  const lead = { id, form, isTest: variant === 'test', number, name, at };
  options.keepForm(lead);
  return { kind: 'form', instance, lead, body: {}, copies: 1, isWithheld: false } as const;
}

function canPlay(player: Player, variant: string, target: WebhookTarget): boolean {
  const random = SeededRandom.fromSeed('whether it can be played');
  const nobody = { language: 'en', from: '10000000000', filesUrl: '', now: 0 } as const;
  const steps = player.stepsOf({ ...nobody, variant, random });
  return steps.every(({ wire, isOptional }) => isOptional === true || isTold(wire, target));
}

function isTold(wire: Wire | undefined, target: WebhookTarget): boolean {
  if (wire === undefined) return true;
  if (wire.form !== undefined) return hasForm(target, wire.form);
  const { network, evolution, waha, gateway, cloud } = wire;
  const told = {
    gateway: gateway !== undefined,
    cloud: cloud !== undefined,
    evolution: (network ?? evolution) !== undefined,
    waha: (network ?? waha) !== undefined,
  };
  return told[dressOf(target)];
}

function notPlayable({ player, variant }: Part, target: WebhookTarget): GatewayError {
  const what = variant === undefined ? `player: ${player}` : `variant: ${variant} of ${player}`;
  return BY_NAME.get(player)?.playedAs === 'lead'
    ? new GatewayError(409, 'form_not_set', `${what} needs the form's address in the webhook target`)
    : new GatewayError(409, 'not_in_this_dress', `${what} cannot be said in the dress ${dressOf(target)}`);
}
