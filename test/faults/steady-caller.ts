// A caller who repeats one call, one after the other, and logs the end of each.

import { setTimeout as delay } from 'node:timers/promises';
import type { OidcServer } from '../support/oidc-server.js';
import { withToken, type TestTenant } from '../support/test-app.js';
import { CallLog } from './call-log.js';

export interface Ending {
  outcome: string;
  isAcknowledged: boolean;
}

export class SteadyCaller {
  readonly log = new CallLog();
  private stopping = false;
  private readonly running: Promise<void>;

  /** @param call an error counts as `no answer` */
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

/** Checks readiness. A missing dependency is part of the outcome, and the call then counts as a failure. */
export async function askReadiness(url: string): Promise<Ending> {
  const response = await fetch(`${url}/health/ready`);
  const { degraded = [] } = (await response.json()) as { degraded?: string[] };
  const outcome = [response.status, ...degraded.map((name) => `without ${name}`)].join(' ');
  return { outcome, isAcknowledged: response.ok && degraded.length === 0 };
}

/** Reads the inbox as an operator who has signed in before. */
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

/** Signs an operator in again and again, with the same code until it succeeds. */
export class SignIn {
  private grant: object | undefined;
  /** True once an exchange of the present code was cut off: the provider may have taken it. */
  private mayBeSpent = false;
  private count = 0;

  constructor(
    private readonly provider: OidcServer,
    private readonly tenant: TestTenant,
  ) {}

  /** Makes one exchange. Its code was taken before, so that a missing provider meets the service and not this test. */
  async attempt(url: string): Promise<Ending> {
    if (this.grant === undefined) {
      this.grant = await this.provider.authorize(this.tenant.operator.idpSub);
      this.mayBeSpent = false;
    }
    const mayBeSpent = this.mayBeSpent;
    this.mayBeSpent = true;
    this.count += 1;
    const address = `10.${(this.count >> 16) & 255}.${(this.count >> 8) & 255}.${this.count & 255}`;
    const response = await fetch(`${url}/auth/token`, {
      method: 'POST',
      // The endpoint has a limit for each address.
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(this.grant),
    });
    await response.arrayBuffer();
    // A spent code is followed by a new sign-in.
    if (response.ok || response.status === 401) this.grant = undefined;
    if (response.ok) {
      this.grant = await this.provider.authorize(this.tenant.operator.idpSub).catch(() => undefined);
      this.mayBeSpent = false;
    }
    // The database may go between the exchange at the provider and the answer. The refusal of that code belongs to the same failure.
    const isCutOff = response.status === 401 && mayBeSpent;
    return { outcome: isCutOff ? '503' : String(response.status), isAcknowledged: response.ok };
  }
}
