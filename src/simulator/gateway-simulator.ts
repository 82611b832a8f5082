// Owns the start and the end of a gateway simulator: a standalone HTTP server that behaves like a chat gateway.
// It knows the product by its HTTP interface alone. src/docs/simulator.md tells integrators how to use it.

import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type RequestHandler } from 'express';
import { z } from 'zod';
import { BehaviourBook } from './behaviour-book.js';
import type { SimulatorBehaviour } from './behaviour.schema.js';
import { BoundedHistory } from './bounded-memory.js';
import { CLOUD_MESSAGES_PATH, cloudRoutes } from './cloud.routes.js';
import { controlRoutes } from './control.routes.js';
import { Customers, type Customer } from './customers.js';
import { EVOLUTION_RECORDED_PATHS, evolutionRoutes } from './evolution.routes.js';
import { FormLeads } from './form-leads.js';
import { GatewayError, renderGatewayError } from './gateway-error.js';
import { gatewayRoutes, recordAttempt, type SendAttempt } from './gateway.routes.js';
import { InstanceRegistry, type InstanceState } from './instance-registry.js';
import { MediaFetch } from './media-fetch.js';
import { MessageHistory, type HistoryFilter, type HistorySummary } from './message-history.js';
import { MessageIntake } from './message-intake.js';
import { leadMessageSchema, type LeadMessage, type WebhookTarget } from './message.schema.js';
import { drawPicture } from './picture.js';
import { planPlay, playableVariants } from './play.js';
import { drawMessageId, makeInboundReport } from './report-plan.js';
import { makeDocument, makeSound } from './sample-files.js';
import { SeededRandom } from './seeded-random.js';
import { systemClock, Timers, type SimulatorClock } from './simulator-clock.js';
import { WAHA_RECORDED_PATHS, wahaRoutes } from './waha.routes.js';
import { silentLog, WebhookReporter, type SimulatorLog, type WebhookCall } from './webhook-reporter.js';

/** The options of a start. The webhook target here serves every instance that has none of its own. */
export interface GatewaySimulatorOptions extends WebhookTarget {
  /** The Bearer token that every request must carry: 1 character or more. */
  token: string;
  /** 0, the default, takes any free port. */
  port?: number;
  /** The address to listen on, 127.0.0.1 by default. */
  host?: string;
  /** Changes to DEFAULT_BEHAVIOUR. */
  defaults?: Partial<SimulatorBehaviour>;
  /** Silent by default. */
  log?: SimulatorLog;
  /**
   * The same seed and the same requests in the same order give the same run. Random by default. Message ids come from it
   * too: against a database that was kept, a repeated seed repeats ids that are taken.
   */
  seed?: string | number;
  /** The machine's clock by default. */
  clock?: SimulatorClock;
  /** The number of attempts, and of webhook calls, that are remembered: 1 to 1,000,000, 10,000 by default. */
  historySize?: number;
  /** The messages that customers write by themselves in a minute, on average: 0 to 600. With 0, the default, nobody is played. */
  customersPerMinute?: number;
}

/** A running simulator. */
export interface GatewaySimulator {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  /** The seed that repeats this run. */
  readonly seed: string;
  /** Every call to send, to react, to read or to show typing that arrived, oldest first; see `historySize`. */
  attempts(): SendAttempt[];
  /** Every webhook call made, oldest first; see `historySize`. */
  webhookCalls(): WebhookCall[];
  /** Counts the messages at the gateway, reported by a webhook or not: in all, and for each of the first 10,000 numbers. */
  countHistory(filter: HistoryFilter): HistorySummary;
  /** Empties the records of attempts and of webhook calls. Messages, idempotency keys and pending reports stay. */
  clearHistory(): void;
  /** Turns knobs, for one instance or for all; returns what is then in force. A wrong value is a ZodError. */
  behave(change: Partial<SimulatorBehaviour>, instance?: string): SimulatorBehaviour;
  /** Sets the webhook target, for one instance or for all: the fields given, the others stay. */
  reportTo(target: WebhookTarget, instance?: string): void;
  /**
   * Lets a lead write, react, edit, delete, or do a player's steps. Resolves with the first webhook call that reports it; retries go on in
   * the background.
   */
  receiveFromLead(message: LeadMessage): Promise<{ messageId: string; call: WebhookCall }>;
  /** Makes people known who may write by themselves when customers are played. At most 1,000 are remembered. */
  introduce(customers: readonly Customer[]): void;
  /** Takes over an instance's state from a database that has known it for longer. */
  restoreInstance(name: string, state: InstanceState): void;
  /** Resolves when no report is pending, neither planned nor under way nor to be retried. */
  idle(): Promise<void>;
  /** Cuts every connection, drops pending reports, and resolves when the port is free. Safe to repeat. */
  close(): Promise<void>;
}

const MAX_INSTANCES = 10_000;
const MAX_BODY_BYTES = 256 * 1_024;
const MAX_COUNTED_NUMBERS = 10_000;
/** Messages that customers may write by themselves. */
export const MAX_CUSTOMERS_PER_MINUTE = 600;
const KEEP_ALIVE_MS = 65_000;

const startSchema = z.object({
  token: z.string().min(1),
  port: z.int().min(0).max(65_535).default(0),
  host: z.string().min(1).default('127.0.0.1'),
  seed: z.union([z.string(), z.number()]).optional(),
  historySize: z.int().min(1).max(1_000_000).default(10_000),
  customersPerMinute: z.int().min(0).max(MAX_CUSTOMERS_PER_MINUTE).default(0),
});

/** Starts a simulator. Rejects with a ZodError for options out of bounds, and with the system's error for a taken port. */
export async function startGatewaySimulator(options: GatewaySimulatorOptions): Promise<GatewaySimulator> {
  const { token, port, host, seed = randomUUID(), ...limits } = startSchema.parse(options);
  const log = options.log ?? silentLog;
  const core = createCore(options, String(seed), limits, log);
  const server = createServer(createApp(core, token, log));
  // Longer than callers keep an idle connection, so that none is closed under a request on its way.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(port, host);
  await once(server, 'listening');

  const bound = server.address() as AddressInfo;
  const url = `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
  log.info({ url, seed: String(seed) }, 'gateway simulator listening');
  core.startCustomers(url);
  let closed: Promise<void> | undefined;
  return {
    url,
    seed: String(seed),
    attempts: () => core.attempts.list().map((attempt) => ({ ...attempt })),
    webhookCalls: () => core.reporter.calls.list(),
    countHistory: (filter) => core.history.summarize(filter, MAX_COUNTED_NUMBERS),
    clearHistory: () => {
      core.attempts.clear();
      core.reporter.calls.clear();
    },
    behave: (change, instance) => core.behaviours.change(change, instance),
    reportTo: (target, instance) => {
      core.reporter.setTarget(target, instance);
      // An instance exists from the moment it is named.
      if (instance !== undefined) core.instances.get(instance);
    },
    receiveFromLead: (message) => core.receiveFromLead(message),
    introduce: (customers) => core.customers.introduce(customers),
    restoreInstance: (name, state) => core.instances.restore(name, state, core.behaviours.get(name)),
    idle: () => core.reporter.idle(),
    close: () => (closed ??= close(core, server)),
  };
}

type Core = ReturnType<typeof createCore>;

interface CoreLimits {
  historySize: number;
  customersPerMinute: number;
}

function createCore(options: GatewaySimulatorOptions, seed: string, limits: CoreLimits, log: SimulatorLog) {
  const { historySize, customersPerMinute: perMinute } = limits;
  const timers = new Timers(options.clock ?? systemClock);
  const random = SeededRandom.fromSeed(seed);
  const behaviours = new BehaviourBook(options.defaults ?? {}, MAX_INSTANCES);
  // Connects have their own generator, so that they do not change what messages draw.
  const instances = new InstanceRegistry(timers, random.fork(), MAX_INSTANCES, (name, state) =>
    reporter.tellState(name, state),
  );
  const history = new MessageHistory();
  const media = new MediaFetch();
  const forms = new FormLeads();
  const { webhookBaseUrl, webhookUrl, tenantKey, webhookSecret, dress, cloud, googleForm, metaForm } = options;
  const reporter = new WebhookReporter({
    timers,
    log,
    target: { webhookBaseUrl, webhookUrl, tenantKey, webhookSecret, dress, cloud, googleForm, metaForm },
    historySize,
    maxInstances: MAX_INSTANCES,
    behaviourOf: (instance) => behaviours.get(instance),
    history,
    serverUrl: () => filesUrl,
  });
  let filesUrl: string | undefined;
  const leads = { timers, behaviours, instances, reporter, forms, filesUrl: () => filesUrl ?? '' };
  const receiveFromLead = takeFromLeads(leads, random.fork());
  const customers = new Customers({
    timers,
    // Customers have their own generator too, so that playing them does not change other draws.
    random: SeededRandom.fromSeed(`customers of ${seed}`),
    perMinute,
    mayWrite: () => reporter.getTarget().webhookBaseUrl !== undefined && !reporter.isFull,
    write: async (message) => (await receiveFromLead(message)).messageId,
    playable: (player, instance) => playableVariants(player, reporter.getTarget(instance)),
  });
  const shared = { timers, behaviours, instances, reporter, customers, history, media, forms };
  const intake = new MessageIntake({ ...shared, random, filesUrl: () => filesUrl });
  const attempts = new BoundedHistory<SendAttempt>(historySize);
  const startCustomers = (url: string) => {
    filesUrl = url;
    customers.start(url);
  };
  return {
    ...shared,
    // Reserved ids have their own generator, so that reserving them does not change other draws.
    random: SeededRandom.fromSeed(`reserved ids of ${seed}`),
    intake,
    attempts,
    serverUrl: () => filesUrl ?? '',
    receiveFromLead,
    startCustomers,
  };
}

interface LeadIntakeParts {
  timers: Timers;
  behaviours: BehaviourBook;
  instances: InstanceRegistry;
  reporter: WebhookReporter;
  forms: FormLeads;
  filesUrl: () => string;
}

/** @param random the generator of what leads do */
function takeFromLeads(parts: LeadIntakeParts, random: SeededRandom) {
  const { timers, behaviours, instances, reporter } = parts;
  return async (input: unknown): Promise<{ messageId: string; call: WebhookCall }> => {
    const draws = random.fork();
    const said = leadMessageSchema.parse(input);
    if (said.preference !== undefined && reporter.getTarget(said.instance).cloud === undefined)
      throw new GatewayError(409, 'cloud_not_set', "Only Meta reports preferences: set the instance's cloud target");
    if ((said.lid !== undefined || said.fromPhone === true) && !reporter.tellsAll(said.instance))
      throw new GatewayError(409, 'dress_not_set', 'Only Evolution and WAHA report it: set the dress of the instance');
    // An instance exists from the moment it is named.
    instances.get(said.instance);
    if (said.player !== undefined) return play({ ...said, player: said.player }, parts, draws);
    const lead = { ...said, messageId: drawMessageId(draws), writtenAt: timers.now() };
    const call = await reporter.deliver(makeInboundReport(lead, behaviours.get(lead.instance), draws));
    return { messageId: lead.messageId, call };
  };
}

/** Resolves with the first call of a play; its other steps follow in the background. */
async function play(
  said: LeadMessage & { player: string },
  { timers, behaviours, reporter, forms, filesUrl }: LeadIntakeParts,
  random: SeededRandom,
): Promise<{ messageId: string; call: WebhookCall }> {
  const { instance } = said;
  const [first, ...others] = planPlay(said, {
    behaviour: behaviours.get(instance),
    target: reporter.getTarget(instance),
    random,
    now: timers.now(),
    filesUrl: filesUrl(),
    keepForm: (lead) => forms.add(lead),
  });
  if (first === undefined) throw new Error(`the player ${said.player} does nothing`);
  const call = await reporter.deliver(first);
  void reporter.follow(others);
  return { messageId: first.kind === 'form' ? first.lead.id : first.row.id, call };
}

function createApp(core: Core, token: string, log: SimulatorLog): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/files/:name.png', (request, response) => {
    response.type('image/png').send(drawPicture(request.params.name));
  });
  app.get('/files/:name.wav', (request, response) => {
    response.type('audio/wav').send(makeSound(request.params.name));
  });
  app.get('/files/:name.pdf', (request, response) => {
    response.type('application/pdf').send(makeDocument(request.params.name));
  });
  app.post(['/messages', '/reactions', CLOUD_MESSAGES_PATH, EVOLUTION_RECORDED_PATHS], recordAttempt(core));
  app.all(WAHA_RECORDED_PATHS, recordAttempt(core));
  const onInternalError = (error: unknown) => log.error({ err: error }, 'the gateway simulator failed');
  const dressed = { ...core, checkToken: checkToken(token), onInternalError };
  app.use(evolutionRoutes(dressed), wahaRoutes(dressed));
  app.use(requireToken(token), requireJson, express.json({ limit: MAX_BODY_BYTES }));
  app.use(gatewayRoutes(core));
  app.use(cloudRoutes(core));
  app.use('/simulator', controlRoutes(core));
  app.use((request) => {
    throw new GatewayError(404, 'not_found', `There is no ${request.method} ${request.path}`);
  });
  app.use(renderGatewayError(onInternalError));
  return app;
}

/** Checks a token that stands alone in a header of its own. */
function checkToken(token: string): (given: string | undefined) => void {
  const expected = hash(token);
  return (given = '') => {
    if (!timingSafeEqual(hash(given), expected)) throw new GatewayError(401, 'unauthenticated', 'Unauthorized');
  };
}

function requireToken(token: string): RequestHandler {
  const expected = hash(`Bearer ${token}`);
  return (request, _response, next) => {
    if (timingSafeEqual(hash(request.get('authorization') ?? ''), expected)) return next();
    throw new GatewayError(401, 'unauthenticated', 'Send Authorization: Bearer <token>');
  };
}

const requireJson: RequestHandler = (request, _response, next) => {
  // A call without a body (connect) needs no type; some clients announce that body with a length of 0.
  if (request.get('content-length') === '0' || request.is('application/json') !== false) return next();
  throw new GatewayError(415, 'unsupported_media_type', 'The body must be application/json, in UTF-8');
};

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function close({ timers, reporter }: Core, server: Server): Promise<void> {
  timers.close();
  reporter.close();
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
