// A gateway that withholds a random part of its webhooks: after one reading all messages are in the inbox, in order and once, and the
// audit says what the gateway says. LEADWIRE_WITHHELD_MESSAGES sets their number; 20,000 is the long version.

import { SeededRandom } from '../../../src/simulator/seeded-random.js';
import { EvolutionServer, type EvolutionRecord } from '../../support/evolution-server.js';
import { sharedApp } from '../../support/shared-app.js';
import { HistoryInstance, minutesAgo, recoveriesOf } from './history-harness.js';

const messageCount = Number(process.env['LEADWIRE_WITHHELD_MESSAGES'] ?? '600');
const withheldShare = 0.03;
const leadCount = Math.max(5, Math.ceil(messageCount / 50));
const callsAtOnce = 8;
const recordsPerCall = 20;

interface Line {
  chat: string;
  body: string;
}

export function describeWithheldMessages(): void {
  let server: EvolutionServer;

  beforeAll(async () => {
    server = await EvolutionServer.start();
  });
  afterAll(() => server.close());

  test(
    `${messageCount} messages, ${withheldShare * 100} % of them withheld`,
    async () => {
      const app = await sharedApp();
      const tenant = await app.createTenant();
      const instance = await HistoryInstance.create(app, tenant, server);
      const seeded = SeededRandom.fromSeed('withheld messages');
      const random = () => seeded.uint32() / 2 ** 32;
      const startMs = minutesAgo(60).getTime();
      const written: (Line & { record: EvolutionRecord; isWithheld: boolean })[] = [];
      // The records are made newest last, and the server lists the newest first.
      for (let index = 0; index < messageCount; index += 1) {
        const lead = Math.floor(random() * leadCount);
        const chat = `49151${String(lead).padStart(8, '0')}`;
        const body = `message ${index}`;
        const fromMe = random() < 0.1;
        const at = Math.floor((startMs + (index * 50 * 60_000) / messageCount) / 1_000);
        const key = { id: `ID${index}`, fromMe, remoteJid: `${chat}@s.whatsapp.net` };
        const record = { key, messageTimestamp: at, messageType: 'conversation', message: { conversation: body } };
        written.push({ chat, body, record, isWithheld: random() < withheldShare });
      }
      server.records.push(...written.map(({ record }) => record).toReversed());
      const withheld = written.filter(({ isWithheld }) => isWithheld).length;
      await bringAll(
        instance,
        written.filter(({ isWithheld }) => !isWithheld),
      );

      const startedAt = performance.now();
      expect(await recoveriesOf(app).recoverDue()).toBe(withheld);
      const seconds = (performance.now() - startedAt) / 1_000;
      if (process.env['LEADWIRE_WITHHELD_MESSAGES'] !== undefined)
        process.stderr.write(
          `${messageCount} messages, ${withheld} withheld: one reading took ${seconds.toFixed(1)} s\n`,
        );

      const [audit] = await app.sql(
        'SELECT at_gateway, here, recovered, unexplained, is_complete FROM instance_audits WHERE instance_id = $1',
        [instance.id],
      );
      expect(audit).toEqual({
        at_gateway: messageCount,
        here: messageCount - withheld,
        recovered: withheld,
        unexplained: 0,
        is_complete: true,
      });
      const rows = await app.sql<Line>(
        `SELECT l.chat, m.body FROM messages m JOIN leads l ON l.tenant_id = m.tenant_id AND l.id = m.lead_id
         WHERE m.tenant_id = $1 ORDER BY m.position, m.id`,
        [tenant.id],
      );
      expect(rows).toHaveLength(messageCount);
      const inOrder = Map.groupBy(written, ({ chat }) => chat);
      for (const [chat, lines] of Map.groupBy(rows, (row) => row.chat))
        expect(lines.map(({ body }) => body)).toEqual(inOrder.get(chat)?.map(({ body }) => body));
      // A second reading changes nothing.
      expect(await instance.recover(minutesAgo(120))).toMatchObject({
        atGateway: messageCount,
        here: messageCount,
        recovered: 0,
      });
    },
    30 * 60_000,
  );
}

/** Posts the records like the gateway's webhooks, a lead's in their order. */
async function bringAll(instance: HistoryInstance, written: readonly { chat: string; record: EvolutionRecord }[]) {
  const queues = [...Map.groupBy(written, ({ chat }) => Number(chat) % callsAtOnce).values()];
  await Promise.all(
    queues.map(async (queue) => {
      for (let start = 0; start < queue.length; start += recordsPerCall)
        await instance.bring(...queue.slice(start, start + recordsPerCall).map(({ record }) => record));
    }),
  );
}
