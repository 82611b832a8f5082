// A caller who does one thing again and again, one call after the other, and notes how each ended.

import { setTimeout as delay } from 'node:timers/promises';
import type { OidcServer } from '../support/oidc-server.js';
import { withToken } from '../support/test-app.js';
import type { TestTenant } from '../support/test-app.js';
import { CallLog } from './call-log.js';

/** How a call ended. */
export interface Ending {
  outcome: string;
  isAcknowledged: boolean;
}

export class SteadyCaller {
  readonly log = new CallLog();
  private stopping = false;
  private readonly running: Promise<void>;

  /** @param call may throw: that is `no answer` */
  constructor(
    private readonly call: () => Promise<Ending>,
    private readonly pauseMs: number,
  ) {
    this.running = this.run();
  }

  /** Resolves when the last call has ended. */
  async finish(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const begunAtMs = performance.now();
      const { outcome, isAcknowledged } = await this.call().catch(() => ({
        outcome: 'no answer',
        isAcknowledged: false,
      }));
      this.log.note(outcome, isAcknowledged, begunAtMs);
      await delay(this.pauseMs);
    }
  }
}

/** Asks whether the process is ready; what it does without is part of the outcome, and no success. */
export async function askReadiness(url: string): Promise<Ending> {
  const response = await fetch(`${url}/health/ready`);
  const { degraded = [] } = (await response.json()) as { degraded?: string[] };
  const outcome = [response.status, ...degraded.map((name) => `without ${name}`)].join(' ');
  return { outcome, isAcknowledged: response.ok && degraded.length === 0 };
}

/** An operator who signed in before looks at the inbox. */
export async function readInbox(url: string, tenant: TestTenant): Promise<Ending> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...withToken(tenant.operator) },
    body: JSON.stringify({ query: '{ inbox(first: 5) { edges { node { id lastMessage { body } } } } }' }),
  });
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  const outcome = errors?.[0]?.extensions.code ?? String(response.status);
  return { outcome, isAcknowledged: errors === undefined && response.ok };
}

/** Signs an operator in again and again, as long as it takes with the same code. */
export class SignIn {
  private grant: object | undefined;
  private count = 0;

  constructor(
    private readonly provider: OidcServer,
    private readonly tenant: TestTenant,
  ) {}

  /** One exchange. The code for it was taken before, so that a provider that is away meets the service and not us. */
  async attempt(url: string): Promise<Ending> {
    this.grant ??= await this.provider.authorize(this.tenant.operator.idpSub);
    this.count += 1;
    const address = `10.${(this.count >> 16) & 255}.${(this.count >> 8) & 255}.${this.count & 255}`;
    const response = await fetch(`${url}/auth/token`, {
      method: 'POST',
      // The endpoint has a limit for each address.
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(this.grant),
    });
    await response.arrayBuffer();
    // A code that was spent is followed by a new sign-in.
    if (response.ok || response.status === 401) this.grant = undefined;
    if (response.ok) this.grant = await this.provider.authorize(this.tenant.operator.idpSub).catch(() => undefined);
    return { outcome: String(response.status), isAcknowledged: response.ok };
  }
}
