// `npm run tenant -- create …`: an administrator creates a tenant with its API key and its first ADMIN, also on an empty database and
// while servers run. The features check the values, and make the first tenant the platform tenant. Links are in sign-in-link.ts, and
// moves to another database in move-tenant.ts.

import { parseArgs } from 'node:util';
import { ConfigError, loadConfig, type Config } from '../config/config.js';
import { migrationsDir } from '../config/product.js';
import type { TenantRecord } from '../features/tenants/tenant.service.js';
import { createTenantWithAdminSchema, type CreateTenantWithAdminInput } from '../features/users/user.schema.js';
import type { Database } from '../platform/database/database.js';
import { AppError, invalidField, type FieldError } from '../platform/errors.js';
import { reasonOf } from '../platform/observability/fault.js';
import { parseInput } from '../platform/input/input.js';
import { createLogger } from '../platform/observability/logger.js';
import { applyMigrations } from '../platform/database/migrations.js';
import { SecretBox } from '../platform/secret-box.js';
import { createServices, type Services } from '../services.js';
import { moveIn, moveInOptions, moveOut, moveOutOptions } from './move-tenant.js';
import { consoleAddressOf, linkOptions, printSignInLink, toLinkInput } from './sign-in-link.js';

interface CommandOption {
  type: 'string' | 'boolean';
  /** The placeholder of the value in the usage; undefined for a boolean. */
  value?: string;
  /** The fields that it fills, by the names that errors use. */
  fields: readonly string[];
  meaning: string;
}

const createOptions = {
  name: { type: 'string', value: '<text>', fields: ['name'], meaning: 'required' },
  slug: {
    type: 'string',
    value: '<slug>',
    fields: ['slug'],
    meaning: 'unique; made from the name by default',
  },
  'admin-email': {
    type: 'string',
    value: '<address>',
    fields: ['adminEmail'],
    meaning: 'required: the first ADMIN, who creates further users',
  },
  'admin-idp-sub': {
    type: 'string',
    value: '<subject>',
    fields: ['adminIdpSub'],
    meaning: "the ADMIN's subject at the identity provider; by default, the first sign-in binds the address",
  },
  'rate-max': {
    type: 'string',
    value: '<n>',
    fields: ['chatRateLimit.max'],
    meaning: 'messages that may leave in one window; no limit by default',
  },
  'rate-duration-ms': {
    type: 'string',
    value: '<n>',
    fields: ['chatRateLimit.durationMs'],
    meaning: 'length of that window in milliseconds; required with --rate-max',
  },
  'webhook-source-label': {
    type: 'string',
    value: '<text>',
    fields: ['webhookSourceLabel'],
    meaning: 'source of leads that are posted without one',
  },
  'default-country': {
    type: 'string',
    value: '<code>',
    fields: ['defaultCountry'],
    meaning: 'country of numbers without a country code: ISO 3166-1, such as BR; none by default',
  },
  'opt-out-keywords': {
    type: 'string',
    value: '<words>',
    fields: ['optOutKeywords'],
    meaning: "words that opt a lead out, with commas between; '' switches them off; STOP and others by default",
  },
  'opt-in-keywords': {
    type: 'string',
    value: '<words>',
    fields: ['optInKeywords'],
    meaning: "words that opt a lead in again; '' switches them off; START and others by default",
  },
  'opt-out-reply': {
    type: 'string',
    value: '<text>',
    fields: ['optOutReply'],
    meaning: 'answers a word that opts out; no answer by default',
  },
} as const satisfies Record<string, CommandOption>;

type Values<Options> = {
  [Name in keyof Options]?: (Options[Name] extends { type: 'boolean' } ? boolean : string) | undefined;
};
type CreateValues = Values<typeof createOptions>;
type MoveValues = Values<typeof moveOutOptions>;

const allOptions = { ...createOptions, ...linkOptions, ...moveOutOptions } as const;

/** The options of each command. */
const commands: Record<string, Record<string, CommandOption>> = {
  create: createOptions,
  'sign-in-link': linkOptions,
  'move-out': moveOutOptions,
  'move-in': moveInOptions,
};

class UsageError extends Error {}

const administrator = { kind: 'command' } as const;

/** A command reads the environment besides its arguments, and writes its lines here. */
interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  print: (text: string) => void;
  complain: (text: string) => void;
}

/** @returns the exit code: 0 for success, 1 for a refusal or failure, 2 for wrong arguments */
export async function runTenantCommand(args: string[], terminal: Terminal): Promise<number> {
  try {
    const { command, values } = readArguments(args);
    if (command === 'help') terminal.print(usage());
    else if (command === 'create') await create(values, terminal);
    else if (command === 'sign-in-link') await createLink(values, terminal);
    else await move(command, values, terminal);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.complain(`${error.message}\n\n${usage()}`);
      return 2;
    }
    for (const sentence of sentencesOf(error)) terminal.complain(`${sentence}\n`);
    return 1;
  }
}

function readArguments(args: string[]): { command: string; values: Values<typeof allOptions> } {
  const { values, positionals } = parse(args);
  const { help, ...given } = values;
  const [command, unexpected] = positionals;
  if (help === true || command === 'help') return { command: 'help', values: {} };
  if (command === undefined) throw new UsageError('A command is missing.');
  const options = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (options === undefined) throw new UsageError(`There is no command ${command}.`);
  if (unexpected !== undefined) throw new UsageError(`What is ${unexpected}? A value with blanks needs quotes.`);
  const other = Object.keys(given).find((name) => !Object.hasOwn(options, name));
  if (other !== undefined) throw new UsageError(`--${other} is no option of ${command}.`);
  return { command, values: given };
}

function parse(args: string[]) {
  try {
    const options = { ...allOptions, help: { type: 'boolean' } } as const;
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function usage(): string {
  return `Usage: npm run tenant -- create --name <text> --admin-email <address> [option …]

Creates a tenant with an API key in the database of DATABASE_URL, to which the newest migrations are applied first.
The first tenant of a database is the platform tenant, whose ADMINs create and see all others. Needs the environment
of the servers.

${linesOfOptions(createOptions)}
Usage: npm run tenant -- sign-in-link --tenant <slug> --email <address> [--create]

Prints an address of the console that signs an ADMIN in once, within ten minutes. Only while OIDC_ISSUER_URL is not set.

${linesOfOptions(linkOptions)}
Usage: npm run tenant -- move-out --tenant <slug> --file <path>
       npm run tenant -- move-in --file <path>

Moves a deactivated tenant out of the database of DATABASE_URL, into the file; and from the file into another
database, where it stays deactivated. Both need the same version of Leadwire and the same ENCRYPTION_KEY.

${linesOfOptions(moveOutOptions)}`;
}

function linesOfOptions(options: Readonly<Record<string, CommandOption>>): string {
  const shown = Object.entries(options).map(([name, { value, meaning }]) => [
    value === undefined ? `--${name}` : `--${name} ${value}`,
    meaning,
  ]);
  const width = Math.max(...shown.map(([option = '']) => option.length));
  return shown.map(([option = '', meaning]) => `  ${option.padEnd(width)}  ${meaning}\n`).join('');
}

async function create(values: CreateValues, terminal: Terminal): Promise<void> {
  const input = toInput(values);
  const config = loadConfig(terminal.environment);
  await withServices(config, terminal, async ({ tenantCreation, apiKeys }) => {
    await apiKeys.checkEncryptionKey();
    const tenant = await tenantCreation.create(administrator, input);
    // The tenant's lines are printed before the key is read: the tenant exists even if that fails.
    terminal.print(linesOf(tenant, input));
    const [key] = await apiKeys.readCurrent(administrator, [tenant.id]);
    if (key === undefined) throw new Error('The tenant has no current API key.');
    terminal.print(`api key: ${key.apiKey}\n`);
    if (config.identityProvider === undefined && input.adminIdpSub == null) terminal.complain(nextStep(tenant, input));
  });
}

/** The hint for the administrator; it is printed apart from the lines that scripts read. */
function nextStep({ slug }: TenantRecord, { adminEmail }: CreateTenantWithAdminInput): string {
  const command = `npm run tenant -- sign-in-link --tenant ${slug} --email ${adminEmail}`;
  return `There is no identity provider yet. For a link that signs the ADMIN in: ${command}\n`;
}

async function createLink(values: Values<typeof linkOptions>, terminal: Terminal): Promise<void> {
  const input = toLinkInput(values);
  const config = loadConfig(terminal.environment);
  const address = consoleAddressOf(config);
  await withServices(config, terminal, (services) => printSignInLink(services, input, address, terminal.print));
}

async function move(
  command: string,
  { tenant: slug = '', file: path = '' }: MoveValues,
  terminal: Terminal,
): Promise<void> {
  if (command === 'move-out' && slug === '') throw invalidField('tenant', 'is required');
  if (path === '') throw invalidField('file', 'is required');
  const config = loadConfig(terminal.environment);
  const secretBox = new SecretBox(config.encryptionKey, config.encryptionKeyPrevious);
  await withServices(config, terminal, async ({ audit }, url) => {
    const moved =
      command === 'move-out'
        ? await moveOut(url, { slug, path, audit })
        : await moveIn(url, { path, secretBox, audit });
    terminal.print(`tenant: ${moved.id}\nslug: ${moved.slug}\nrows: ${moved.rows}\n`);
  });
}

/** Runs work with the services on a migrated database. @param work receives the database's address too */
async function withServices(
  config: Config,
  { complain }: Terminal,
  work: (services: Services, url: string) => Promise<void>,
): Promise<void> {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (url === undefined) throw new ConfigError('DATABASE_URL is required.');
  // Errors are printed as sentences, so the log stays silent.
  const services = createServices(config, url, createLogger('silent'));
  try {
    await prepare(services.database, url, (sentence) => complain(`${sentence}\n`));
    await work(services, url);
  } finally {
    // Nothing else was started.
    await services.database.close();
  }
}

// The options are checked before the database is touched.
function toInput({ name = '', ...values }: CreateValues): CreateTenantWithAdminInput {
  if (name.trim() === '') throw invalidField('name', 'is required');
  if (values['admin-email'] === undefined) throw invalidField('adminEmail', 'is required');
  const slug = values.slug || slugOf(name);
  if (slug === '') throw invalidField('slug', 'is required: none can be made from this name');
  const { 'rate-max': max, 'rate-duration-ms': durationMs } = values;
  const limit = { max: toNumber(max), durationMs: toNumber(durationMs) };
  return parseInput(createTenantWithAdminSchema, {
    name,
    slug,
    adminEmail: values['admin-email'],
    adminIdpSub: values['admin-idp-sub'],
    chatRateLimit: max === undefined && durationMs === undefined ? undefined : limit,
    webhookSourceLabel: values['webhook-source-label'],
    defaultCountry: values['default-country'],
    optOutKeywords: toWords(values['opt-out-keywords']),
    optInKeywords: toWords(values['opt-in-keywords']),
    optOutReply: values['opt-out-reply'],
  });
}

function toWords(list: string | undefined): string[] | undefined {
  return list?.trim() === '' ? [] : list?.split(',').map((word) => word.trim());
}

function toNumber(value: string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function slugOf(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const hyphenated = letters.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '');
  return hyphenated.slice(0, 63).replace(/-$/, '');
}

async function prepare(database: Database, databaseUrl: string, info: (sentence: string) => void): Promise<void> {
  await database.ping().catch((cause: unknown) => {
    throw new Error(`The database of DATABASE_URL cannot be opened: ${reasonOf(cause)}.`, { cause });
  });
  await applyMigrations(databaseUrl, { migrationsDir, log: { info } });
}

function linesOf(tenant: TenantRecord, { adminEmail, adminIdpSub, ...input }: CreateTenantWithAdminInput): string {
  const { chatRateLimit: limit } = tenant;
  const lines = {
    tenant: tenant.id,
    name: tenant.name,
    slug: tenant.slug,
    'platform tenant': tenant.isPlatform ? 'yes' : 'no',
    admin: adminEmail,
    'admin subject': adminIdpSub,
    'chat rate limit': limit === null ? undefined : `${limit.max} in ${limit.durationMs} ms`,
    'webhook source label': tenant.webhookSourceLabel,
    'default country': tenant.defaultCountry,
    'opt-out keywords': input.optOutKeywords && wordsOf(tenant.optOutKeywords),
    'opt-in keywords': input.optInKeywords && wordsOf(tenant.optInKeywords),
    'opt-out reply': tenant.optOutReply,
  };
  const given = Object.entries(lines).filter(([, value]) => value != null);
  return given.map(([label, value]) => `${label}: ${value}\n`).join('');
}

function wordsOf(keywords: readonly string[]): string {
  return keywords.length === 0 ? 'none' : keywords.join(', ');
}

function sentencesOf(error: unknown): string[] {
  if (!(error instanceof AppError)) return [reasonOf(error)];
  const [, path = '', message = error.message] = /^(\w+): (.*)$/.exec(error.message) ?? [];
  return (error.errors ?? [{ path, message }]).map(inOptions);
}

// Errors name options instead of the fields that they fill.
function inOptions({ path, message }: FieldError): string {
  const sentence = message.replaceAll(/\b[a-z]+[A-Z]\w*/g, optionOf);
  return path === '' ? sentence : `${optionOf(path)}: ${sentence}`;
}

function optionOf(field: string): string {
  const list = field.replace(/\.\d+$/, '');
  const found = Object.entries<CommandOption>(allOptions).find(([, { fields }]) => fields.includes(list));
  return found === undefined ? field : `--${found[0]}`;
}
