// Messages whose records a failover has lost: a database that was behind became primary, and still has them queued. Where the gateway can
// be asked, none is sent again.

import pg from 'pg';
import type { ReachableInstance } from '../../../src/features/chat-instances/gateway-endpoints.js';
import type { ClaimedMessage } from '../../../src/features/outbox/rate-limited-claim.service.js';
import { LostAnswerGuard, type LostAnswerGuardOptions } from '../../../src/features/outbox/lost-answer-guard.js';
import { PromotionWatch } from '../../../src/platform/database/promotion-watch.js';
import { recordIdAt } from '../../../src/platform/database/record-id.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import type { FoundSend, LostSend, OutgoingMessage } from '../../../src/providers/chat-gateway.js';
import { sharedApp } from '../../support/shared-app.js';
import { until } from './sending-harness.js';

const minuteMs = 60_000;

export function describeLostRecords(): void {
  describe('a message that was queued before another server became primary', () => {
    let lookUps: LostSend[];

    /** Prepares a first attempt, as far as the database knows. */
    async function prepare({
      ageMs = minuteMs,
      promotedAgoMs = 1_000,
      found = { outcome: 'absent' },
      gateway = {},
    }: {
      ageMs?: number;
      promotedAgoMs?: number | null;
      found?: FoundSend;
      gateway?: object;
    }) {
      lookUps = [];
      const findSent = (_endpoint: unknown, _message: unknown, lost: LostSend) => {
        lookUps.push(lost);
        return Promise.resolve(found);
      };
      const promotedAtMs = promotedAgoMs === null ? undefined : Date.now() - promotedAgoMs;
      const guard = new LostAnswerGuard({
        claims: { listExternalIdsOfOthers: () => Promise.resolve(new Set<string>()) },
        promotions: { findPromotion: () => Promise.resolve(promotedAtMs) },
        log: createLogger('silent'),
      } as unknown as LostAnswerGuardOptions);
      const id = recordIdAt(new Date(Date.now() - ageMs));
      const message = { id, unconfirmedSince: null, reservedId: null, wasUnanswered: false } as ClaimedMessage;
      const instance = { gateway: { honoursKeys: false, findSent, ...gateway }, endpoint: {} };
      const outgoing = { idempotencyKey: id, to: '4915100000001', type: 'text', text: 'Oi' } as OutgoingMessage;
      return guard.prepare('tenant', message, instance as unknown as ReachableInstance, outgoing, () =>
        AbortSignal.timeout(minuteMs),
      );
    }

    test('is not sent again where the gateway has it', async () => {
      const sent = await prepare({ found: { outcome: 'sent', externalId: '3EB0' } });
      expect(sent).toEqual({ outcome: 'accepted', externalId: '3EB0' });
      expect(lookUps).toMatchObject([{ since: expect.any(Date) }]);
    });

    test.each<[string, FoundSend]>([
      ['does not have it', { outcome: 'absent' }],
      ['cannot tell', { outcome: 'unknown', detail: 'The list is cut off' }],
    ])('is sent where the gateway %s', async (_name, found) => {
      expect(await prepare({ found })).toMatchObject({ text: 'Oi' });
      expect(lookUps).toHaveLength(1);
    });

    test('waits where the gateway cannot be asked now', async () => {
      const later = await prepare({ found: { outcome: 'unavailable', detail: 'It did not answer' } });
      expect(later).toEqual({ outcome: 'temporary', code: 'LOOK_UP_FAILED', detail: 'It did not answer' });
    });

    test.each<[string, Parameters<typeof prepare>[0]]>([
      ['no other server became primary', { promotedAgoMs: null }],
      ['it was queued after that', { ageMs: 1_000, promotedAgoMs: 30_000 }],
      ['that is long ago', { ageMs: 60 * minuteMs, promotedAgoMs: 30 * minuteMs }],
      ['the gateway honours keys', { gateway: { honoursKeys: true } }],
      ['the gateway cannot be asked', { gateway: { findSent: undefined } }],
    ])('is sent without a look-up where %s', async (_name, options) => {
      expect(await prepare(options)).toMatchObject({ text: 'Oi' });
      expect(lookUps).toEqual([]);
    });
  });

  describe('the watch over promotions', () => {
    function watchOver(answers: (string | Error)[]) {
      const query = () => {
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve([{ timeline: answer }]);
      };
      const database = { query } as ConstructorParameters<typeof PromotionWatch>[0]['database'];
      return new PromotionWatch({ database, log: createLogger('silent') });
    }

    const untilPromoted = (watch: PromotionWatch) =>
      until(
        () => watch.findPromotion().catch(() => undefined),
        (promotedAtMs) => promotedAtMs !== undefined,
      );

    test('notices a higher timeline, also after the database was away', async () => {
      const watch = watchOver(['00000001', new Error('away'), '00000002']);
      expect(await watch.findPromotion()).toBeUndefined();
      const before = Date.now();
      expect(await untilPromoted(watch)).toBeGreaterThanOrEqual(before);
    });

    test('reads the timeline of PostgreSQL, and finds no promotion where none was', async () => {
      const { database } = (await sharedApp()).app.services;
      const seen: unknown[] = [];
      const query: typeof database.query = async (statement, values) => {
        const rows = await database.query<never>(statement, values);
        seen.push(...rows);
        return rows;
      };
      const watch = new PromotionWatch({ database: { query }, log: createLogger('silent') });
      expect(await watch.findPromotion()).toBeUndefined();
      expect(seen).toEqual([{ timeline: expect.stringMatching(/^[0-9A-F]{8}$/) }]);
    });

    test('leaves a database alone that has no such log', async () => {
      const watch = watchOver([Object.assign(new pg.DatabaseError('not supported', 0, 'error'), { code: '0A000' })]);
      expect(await watch.findPromotion()).toBeUndefined();
    });
  });
}
