// Callers while the database stands still: whatever their call waits for, they are told within 15 s to send it again.

import type { NextFunction, Request, Response } from 'express';
import { jest } from '../support/jest.js';
import type { AuthService } from '../../src/features/auth/auth.service.js';
import type { WebhookCall } from '../../src/features/intake/webhook-call.js';
import { WebhookService, type WebhookOptions } from '../../src/features/intake/webhook.service.js';
import {
  SourceCallService,
  type SourceCallOptions,
} from '../../src/features/lead-sources/calls/source-call.service.js';
import type { LeadSourceCaller } from '../../src/features/lead-sources/calls/source-proof.js';
import { inAnswerTime } from '../../src/platform/http/answer-time.js';
import type { KnownCallers } from '../../src/platform/http/known-callers.js';
import { authenticate } from '../../src/transport/http/authenticate.js';
import type { FailedAuthentications } from '../../src/transport/http/failed-authentication.js';
import {
  authenticateSigned,
  type SignedWebhooks,
  type WebhookReading,
} from '../../src/transport/http/signed-webhooks.js';

export function describeAnswerTime(): void {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const never = () => new Promise<never>(() => undefined);
  const nothing = () => Promise.resolve();
  const failures = {
    findRefusal: () => undefined,
    findGuessRefusal: () => undefined,
  } as unknown as FailedAuthentications;
  const requestWith = (headers: Record<string, string>): Request =>
    ({ headers, get: (name: string) => headers[name], socket: { remoteAddress: '127.0.0.1' } }) as unknown as Request;
  const response = { once: () => response, on: () => response } as unknown as Response;
  const next: NextFunction = () => {
    throw new Error('the call went on');
  };
  const sourceId = '01920000-0000-7000-8000-000000000001';
  const call = {
    route: '/webhooks/leads',
    tenantId: sourceId,
    body: Buffer.from('{'),
    contentType: 'application/json',
  };
  const caller = { key: sourceId, setHeaders: () => undefined };
  const limits = { countLead: nothing, countUnreadable: nothing };
  const silentJournal = { recordRefusal: never };

  /** Returns the outcome of work after these milliseconds. */
  async function outcomeAfter(ms: number, work: Promise<unknown>): Promise<unknown> {
    let outcome: unknown = 'none yet';
    work.then(
      (result) => (outcome = result),
      (error: unknown) => (outcome = error),
    );
    await jest.advanceTimersByTimeAsync(ms);
    return outcome;
  }

  const unavailable = expect.objectContaining({ code: 'UNAVAILABLE', retryAfterSeconds: 1 }) as unknown;

  const waits: Record<string, () => Promise<unknown>> = {
    'the look-up of a key': async () => {
      const auth = { findFreshApiKey: () => undefined, isFamiliarKey: () => false, findByApiKey: never };
      const judge = authenticate(auth as unknown as AuthService, failures);
      await judge(requestWith({ 'x-tenant-key': 'lw_unknown' }), response, next);
    },
    'the look-up of a session': async () => {
      const judge = authenticate({ findSession: never } as unknown as AuthService, failures);
      await judge(requestWith({ authorization: 'Bearer token' }), response, next);
    },
    'the look-up of the caller that a path names': async () => {
      const callers = { isFamiliar: () => false, isNews: () => false, find: never };
      const webhooks = { callers, kind: 'lead source' } as unknown as SignedWebhooks<LeadSourceCaller>;
      const judge = authenticateSigned({ failures } as WebhookReading, webhooks, () => sourceId);
      await judge(requestWith({}), response, next);
    },
    'the journal, where a lead is refused': () => {
      const webhooks = new WebhookService({ limits, journal: silentJournal } as unknown as WebhookOptions);
      return webhooks.receiveLead(call as WebhookCall, { source: 'webhook', country: undefined }, caller);
    },
    'the journal, where a form is refused': () => {
      const source = { sourceId, tenantId: sourceId, kind: 'FORM', mapping: {} } as unknown as LeadSourceCaller;
      const callers = { find: () => Promise.resolve(source) } as unknown as KnownCallers<LeadSourceCaller>;
      const sources = new SourceCallService({
        callers,
        limits,
        journal: silentJournal,
      } as unknown as SourceCallOptions);
      return sources.receive(call as WebhookCall, { sourceId, tenantId: sourceId, isSigned: false }, caller);
    },
    'the store': () => {
      const whole = { ...call, body: Buffer.from('{"name":"Ana","chat":"+5511988887777"}') };
      const webhooks = new WebhookService({
        limits,
        journal: silentJournal,
        store: never,
      } as unknown as WebhookOptions);
      return webhooks.receiveLead(whole as WebhookCall, { source: 'webhook', country: undefined }, caller);
    },
  };

  test.each(Object.entries(waits))('%s: a caller is told after 15 s to send the call again', async (_, wait) => {
    const waiting = wait();
    expect(await outcomeAfter(14_000, waiting)).toBe('none yet');
    expect(await outcomeAfter(1_100, waiting)).toEqual(unavailable);
  });

  test('work that ends in time gives its result or its error', async () => {
    const result = new Promise((resolve) => setTimeout(resolve, 10_000, 'stored'));
    expect(await outcomeAfter(10_100, inAnswerTime(result))).toBe('stored');
    const error = new Error('wrong');
    expect(await outcomeAfter(100, inAnswerTime(Promise.reject(error)))).toBe(error);
  });
}
