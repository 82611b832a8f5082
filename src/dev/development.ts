// Development: secrets of its own, the gateway simulator and the demo tenant, then the same process as production's.

import { createECDH, createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { loadConfig, type Config } from '../config/config.js';
import { seedDemo } from './demo/demo-tenant.js';
import { fillDemo } from './demo/fill-demo.js';
import { linkImitations } from './demo/imitations.js';
import { introduceCustomers, restoreInstances } from './demo/simulator-link.js';
import { requireFreePort } from './free-port.js';
import { findFreePort } from './embedded-postgres/server.js';
import type { TenantWithKey } from '../features/tenants/tenant.service.js';
import { requireDataFolder } from '../platform/folder.js';
import { sign } from '../platform/http/hmac-signature.js';
import { runProcess } from '../process.js';
import {
  MAX_CUSTOMERS_PER_MINUTE,
  startGatewaySimulator,
  type GatewaySimulator,
} from '../simulator/gateway-simulator.js';

const defaultCustomersPerMinute = 6;
const secretsName = 'development.env';

/**
 * Starts development, and prints what to try next.
 * @param startedAtMs when the process began, by `performance.now()`
 * @throws the error that prevented the start, after cleaning up
 */
export async function develop(startedAtMs: number): Promise<void> {
  const dataDir = resolve(process.env['DATA_DIR'] ?? '.data');
  const secrets = await readSecrets(dataDir);
  const environment: Record<string, string | undefined> = { NODE_ENV: 'development', ...secrets, ...process.env };
  const { CHAT_WEBHOOK_SECRET: webhookSecret, SIMULATOR_TOKEN: token = '' } = environment;
  const { port, host, metrics } = loadConfig(environment);
  await requireFreePort('PORT', port, host);
  if (metrics.port !== undefined) await requireFreePort('METRICS_PORT', metrics.port, metrics.host);
  const wantsSimulator = environment['GATEWAY_URL'] === undefined;
  const customersPerMinute = readCustomers(environment['SIMULATOR_CUSTOMERS']);
  const simulator = wantsSimulator
    ? await startSimulator(port, { token, webhookSecret, customersPerMinute })
    : undefined;
  const gateway = simulator === undefined ? {} : { GATEWAY_URL: simulator.url, GATEWAY_TOKEN: token };
  const config = loadConfig({ ...environment, ...gateway });
  let tenant: TenantWithKey;
  try {
    await runProcess(config, {
      fallbackDir: fallbackDirOf(dataDir, config),
      seed: async (services) => {
        tenant = await seedDemo(services);
        if (simulator === undefined) return;
        await restoreInstances(services, simulator);
        await linkImitations(services, simulator, { filesUrl: simulator.url, token });
      },
      onReady: async ({ app, databaseUrl }) => {
        const url = `http://localhost:${app.port}`;
        if (simulator !== undefined) {
          const place = { filesUrl: simulator.url, token };
          simulator.reportTo({ webhookBaseUrl: url, tenantKey: tenant.apiKey });
          // Filling the demo sends messages. With another gateway, only messages that a user asks for are sent.
          if (environment['DEMO_DATA'] !== '0')
            await fillDemo(app.services, { ...place, url, tenantId: tenant.id, apiKey: tenant.apiKey });
          await linkImitations(app.services, simulator, place, url);
          await introduceCustomers(app.services, simulator);
        }
        const seconds = (performance.now() - startedAtMs) / 1_000;
        process.stdout.write(greeting({ url, databaseUrl, tenant, config, seconds, simulator }));
        return async () => simulator?.close();
      },
    });
  } catch (error) {
    await simulator?.close();
    throw error;
  }
}

function readCustomers(written = String(defaultCustomersPerMinute)): number {
  const perMinute = /^\d{1,3}$/.test(written) ? Number(written) : Number.NaN;
  if (perMinute <= MAX_CUSTOMERS_PER_MINUTE) return perMinute;
  throw new Error(
    `SIMULATOR_CUSTOMERS has to be a whole number from 0 to ${MAX_CUSTOMERS_PER_MINUTE}: messages a minute`,
  );
}

interface Ready {
  url: string;
  databaseUrl: string;
  tenant: TenantWithKey;
  config: Config;
  /** The duration of the start. */
  seconds: number;
  simulator: GatewaySimulator | undefined;
}

function greeting({ url, databaseUrl, tenant, config, seconds, simulator }: Ready): string {
  const json = `-H 'content-type: application/json'`;
  const secret = config.chatWebhookSecret;
  const inbound = (body: string) => {
    const signature = secret === undefined ? '' : ` -H 'x-signature: ${sign(secret, body)}'`;
    return `curl -s ${url}/webhooks/chat/gateway/inbound -H 'x-tenant-key: ${tenant.apiKey}'${signature} ${json} -d '${body}'`;
  };
  return `
Leadwire is ready at ${url} (${seconds.toFixed(1)} s).

${config.console ? `  Console    ${url}/ (guides: ${url}/docs)\n` : ''}  Database   ${databaseUrl}
  Gateway    ${
    simulator === undefined
      ? config.gateway.url
      : `${simulator.url} (the built-in simulator: src/docs/simulator.md)
             its token is SIMULATOR_TOKEN in ${join(config.dataDir, secretsName)}`
  }
  API key    ${tenant.apiKey}
  Users      demo-admin (ADMIN), demo-operator, demo-beatriz, demo-james (OPERATOR)

Try, in another terminal, or take the five-minute tour of README.md:

  # a lead comes in
  curl -s ${url}/public/leads -H 'x-tenant-key: ${tenant.apiKey}' ${json} -d '{"chat":"+55 11 98888-7777","name":"Ana"}'

  # the lead writes
  ${inbound('{"messageId":"m1","from":"5511988887777","text":"Oi"}')}

${simulator === undefined ? '' : pictureOf(simulator, inbound)}  # an operator signs in and looks at the inbox
  TOKEN=$(curl -s ${url}/auth/dev/token ${json} -d '{"idpSub":"demo-operator"}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')
  curl -s ${url}/graphql -H "authorization: Bearer $TOKEN" ${json} -d '{"query":"{ inbox(first: 5) { edges { node { id name unreadCount lastMessage { body media { state url } } } } } }"}'

Stop with Ctrl-C.

`;
}

function pictureOf(simulator: GatewaySimulator, inbound: (body: string) => string): string {
  const media = `{"url":"${simulator.url}/files/hello.png","mimeType":"image/png","fileName":"hello.png"}`;
  return `  # the lead sends a picture; the address of our copy opens in a browser: media { url }
  ${inbound(`{"messageId":"m2","from":"5511988887777","type":"image","media":${media}}`)}

`;
}

// The name depends on the key too, so that deleting the data folder, with its secrets, starts with an empty database.
function fallbackDirOf(dataDir: string, { encryptionKey }: Config): string {
  const name = createHash('sha256').update(dataDir).update(encryptionKey).digest('hex').slice(0, 12);
  return join('/var/tmp', `leadwire-${name}`);
}

/** Random secrets, created once and readable by this user only: tokens and stored keys stay valid over restarts. */
async function readSecrets(dataDir: string): Promise<Record<string, string | undefined>> {
  const path = join(dataDir, secretsName);
  const known = await readFile(path, 'utf8').catch(() => undefined);
  if (known !== undefined) return parseEnv(known);
  const secrets = { JWT_SECRET: hex(32), ENCRYPTION_KEY: hex(32), SIMULATOR_TOKEN: hex(16), ...pushKey() };
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
  await requireDataFolder(dataDir);
  await writeFile(path, lines.join(''), { mode: 0o600 });
  return secrets;
}

// The simulator takes the port after ours if it is free, so that integrators find it at the same address again.
async function startSimulator(port: number, options: SimulatorChoice): Promise<GatewaySimulator> {
  const { webhookSecret, ...others } = options;
  const free = await findFreePort(port === 0 ? 0 : port + 1);
  return startGatewaySimulator({ port: free, ...others, ...(webhookSecret === undefined ? {} : { webhookSecret }) });
}

interface SimulatorChoice {
  token: string;
  customersPerMinute: number;
  webhookSecret: string | undefined;
}

/** Browsers can be notified in development too: they take a key of any server on this machine. */
function pushKey() {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const bytes = pair.getPrivateKey();
  const privateKey = Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]).toString('base64url');
  return { WEB_PUSH_PRIVATE_KEY: privateKey, WEB_PUSH_CONTACT: 'mailto:development@leadwire.example' };
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
