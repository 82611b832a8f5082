// The journal loses what it has of erased people: items of a call with several people, or its whole body.

import { randomUUID } from 'node:crypto';
import { ErasedCallService, type ErasedCallOptions } from '../../../src/features/journal/erased-calls.service.js';
import { bodyWithout, namesInCall, textNamesOneOf, type KeptCall } from '../../../src/features/intake/erased-body.js';
import { belongsTo } from '../../../src/features/lead-sources/held/held-number.js';
import { execute, query } from '../../support/graphql-client.js';
import {
  CreateLeadSourceDocument,
  DeleteLeadDocument,
  ReplayWebhookDeliveryDocument,
  type DeliveryFieldsFragment,
} from '../../support/operations.js';
import { TestApp, withKey, type TestTenant } from '../../support/test-app.js';
import { plainNumber } from '../messages/sending-harness.js';
import { inboundPath, readJournal, statusPath } from './journal-harness.js';

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const ana = '5511988887777';
const bea = '5541999112233';

interface Case {
  dialect: KeptCall['dialect'];
  body: unknown;
  left: unknown;
}

// In each case `ana` is the erased person. An empty `left` means that nothing stays.
const bodies: Record<string, Case> = {
  'a neutral message': { dialect: 'neutral', body: { from: ana, text: 'Oi' }, left: '' },
  'a number among words, in another writing': {
    dialect: 'neutral',
    body: { from: bea, text: 'call +55 (11) 98888-7777 at 10' },
    left: '',
  },
  'a number of Brazil without its ninth digit': {
    dialect: 'waha',
    body: { payload: { from: '551188887777@c.us' } },
    left: '',
  },
  'a number that is a number': { dialect: 'lead', body: { chat: Number(ana), name: 'Ana' }, left: '' },
  'a national number of the tenant': { dialect: 'lead', body: { chat: '(11) 98888-7777', name: 'Ana' }, left: '' },
  'neutral messages of two': {
    dialect: 'neutral',
    body: {
      messages: [
        { from: ana, text: 'a' },
        { from: bea, text: 'b' },
      ],
    },
    left: { messages: [{ from: bea, text: 'b' }] },
  },
  "Meta's call with two people": {
    dialect: 'cloud',
    body: {
      object: 'whatsapp_business_account',
      entry: [
        {
          changes: [
            {
              value: {
                metadata: { phone_number_id: '1' },
                contacts: [{ wa_id: ana, profile: { name: 'Ana' } }, { wa_id: bea }],
                messages: [
                  { from: ana, text: { body: 'a' } },
                  { from: bea, text: { body: 'b' } },
                ],
              },
            },
            { value: { statuses: [{ recipient_id: ana }] } },
          ],
        },
      ],
    },
    left: {
      object: 'whatsapp_business_account',
      entry: [
        {
          changes: [
            {
              value: {
                metadata: { phone_number_id: '1' },
                contacts: [{ wa_id: bea }],
                messages: [{ from: bea, text: { body: 'b' } }],
              },
            },
          ],
        },
      ],
    },
  },
  'records of a history': {
    dialect: 'evolution',
    body: {
      dialect: 'evolution',
      records: [{ key: { remoteJid: `${ana}@s.whatsapp.net` } }, { key: { remoteJid: `${bea}:3@s.whatsapp.net` } }],
    },
    left: { dialect: 'evolution', records: [{ key: { remoteJid: `${bea}:3@s.whatsapp.net` } }] },
  },
  'the answers of a form, which are one person’s': {
    dialect: 'form',
    body: {
      data: [
        { name: 'mail', value: 'ana@example.com' },
        { name: 'phone', value: ana },
      ],
    },
    left: '',
  },
  'submissions of a form': {
    dialect: 'form',
    body: [{ phone: ana, mail: 'ana@example.com' }, { phone: bea }],
    left: [{ phone: bea }],
  },
  'a form with fields': { dialect: 'form', body: `name=Ana&phone=%2B55+11+98888-7777`, left: '' },
  'a call that cannot be read': { dialect: null, body: `{"from": "${ana}", "text": "cut o`, left: '' },
  'a call of others': { dialect: 'neutral', body: { from: bea, text: '10 11 12' }, left: undefined },
  'digits that continue': { dialect: 'neutral', body: { from: bea, messageId: `${ana}0099` }, left: undefined },
};

export function describeErasedCalls(): void {
  test.each(Object.keys(bodies))('of %s', (name) => {
    const { dialect, body, left } = bodies[name] ?? { dialect: null, body: '', left: '' };
    const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const named = namesInCall({ body: raw, dialect }, 'BR').has(`PHONE ${ana.replace(/^55119/, '5511')}`);
    expect(named).toBe(left !== undefined);
    if (!named) return;
    const isOfAna = textNamesOneOf(new Set([`PHONE ${ana.replace(/^55119/, '5511')}`]), 'BR');
    const kept = bodyWithout({ body: raw, dialect }, isOfAna).toString();
    expect(kept === '' ? '' : JSON.parse(kept)).toEqual(left);
  });

  test('hidden and business-scoped ids are names, and a body of nothing but digits ends', () => {
    const body = Buffer.from(JSON.stringify({ from: '123456789012345@lid', user_id: 'BR.1A2b3C' }));
    const names = namesInCall({ body, dialect: 'cloud' }, undefined);
    expect([...names]).toEqual(expect.arrayContaining(['LID 123456789012345', 'BSUID BR.1A2b3C']));
    const hostile = Buffer.from('1 '.repeat(128 * 1024));
    const startedAt = performance.now();
    expect(namesInCall({ body: hostile, dialect: null }, 'BR').size).toBeGreaterThan(0);
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });

  describe('of an erased lead', () => {
    let app: TestApp;
    let tenant: TestTenant;

    beforeAll(async () => {
      // Without a worker, only the tests clear the journal.
      app = await TestApp.start({ PROCESS_ROLE: 'api' });
    });
    beforeEach(async () => {
      tenant = await app.createTenant();
    });
    afterAll(() => app.stop());

    const clear = (minAgeMs = 0) => app.app.services.erasedCalls.clear(minAgeMs);

    async function post(path: string, body: unknown): Promise<DeliveryFieldsFragment> {
      await app.post(path, body, withKey(tenant));
      const [newest] = await readJournal(app, tenant, {}, 1);
      if (newest === undefined) throw new Error('the call is not in the journal');
      return newest;
    }

    const read = async ({ id }: DeliveryFieldsFragment) =>
      (await readJournal(app, tenant)).find((call) => call.id === id);

    async function erase(number: string): Promise<void> {
      const [lead] = await app.sql<{ id: string }>('SELECT id FROM leads WHERE tenant_id = $1 AND chat = $2', [
        tenant.id,
        number,
      ]);
      await query(app, tenant.operator, DeleteLeadDocument, { id: lead?.id ?? '' });
    }

    test('its calls are blanked, of whatever kind and outcome, and cannot run again; others stay', async () => {
      const number = plainNumber();
      const theirs = [
        await post('/public/leads', { chat: `+${number}`, name: 'Ana' }),
        await post(inboundPath, { messageId: randomUUID(), from: number, text: 'my secret' }),
        await post(inboundPath, { messageId: randomUUID(), from: number, instance: 'nowhere', text: 'refused' }),
        await post(inboundPath, `{"from":"${number}","text":"no JSON`),
      ];
      const other = await post(inboundPath, { messageId: randomUUID(), from: plainNumber(), text: 'of another' });
      await erase(number);
      const later = await post(inboundPath, { messageId: randomUUID(), from: number, text: 'a new person' });
      expect(await clear()).toBe(theirs.length);
      for (const call of theirs) {
        expect(await read(call)).toMatchObject({
          body: '',
          result: null,
          isBodyComplete: false,
          bodyBytes: call.bodyBytes,
        });
        const { errors } = await execute(app, tenant.admin, ReplayWebhookDeliveryDocument, { id: call.id });
        expect(errors?.[0]?.extensions.code).toBe('ERASED');
      }
      for (const call of [other, later]) expect(await read(call)).toEqual(call);
      expect(JSON.stringify(await readJournal(app, tenant))).not.toContain('my secret');
      expect(await clear()).toBe(0);
    });

    test('of a call with two people, the items of the other stay and run again', async () => {
      const [number, another] = [plainNumber(), plainNumber()];
      const item = (from: string) => ({ messageId: randomUUID(), from, text: `from ${from}` });
      const [mine, kept] = [item(number), item(another)];
      const call = await post(inboundPath, { messages: [mine, kept] });
      await erase(number);
      await clear();
      const left = await read(call);
      expect(JSON.parse(left?.body ?? '')).toEqual({ messages: [kept] });
      expect(left).toMatchObject({ isBodyComplete: true, erasedAt: expect.any(String), result: null });
      const { replayWebhookDelivery } = await query(app, tenant.admin, ReplayWebhookDeliveryDocument, { id: call.id });
      expect(replayWebhookDelivery.result).toMatchObject({ results: [{ duplicate: true }] });
    });

    test('a call that repeats what was written before is kept without it', async () => {
      const number = plainNumber();
      const old = {
        messageId: randomUUID(),
        from: number,
        text: 'old',
        timestamp: Math.floor(Date.now() / 1_000) - 3_600,
      };
      await post(inboundPath, old);
      await erase(number);
      const other = { ...old, messageId: randomUUID(), from: plainNumber(), text: 'of another' };
      expect(await post(inboundPath, old)).toMatchObject({ body: '', erasedAt: expect.any(String) });
      expect(JSON.parse((await post(inboundPath, { messages: [old, other] })).body ?? '')).toEqual({
        messages: [other],
      });
    });

    test('many people at once take one walk, which keeps its place', async () => {
      await clear();
      const numbers = Array.from({ length: 12 }, () => plainNumber());
      for (const from of numbers) await post(inboundPath, { messageId: randomUUID(), from, text: 'Oi' });
      await post(statusPath, { messageId: 'unknown', status: 'READ' });
      for (const number of numbers) await erase(number);
      const { database, erasedIdentities, tenants } = app.app.services;
      const parts = { database, erasedIdentities, tenants };
      const place = async () =>
        app.sql<{ done: boolean; places: number }>(
          'SELECT bool_and(left_journal) AS done, count(DISTINCT journal_place)::int AS places FROM erased_identities WHERE tenant_id = $1',
          [tenant.id],
        );
      expect(await new ErasedCallService({ ...parts, callsPerStep: 5, runLimitMs: 0 }).clear(0)).toBe(0);
      expect(await place()).toEqual([{ done: false, places: 1 }]);
      const bounded = new ErasedCallService({ ...parts, callsPerStep: 5, bytesPerStep: 100 });
      expect(await bounded.clear(0)).toBe(numbers.length);
      expect(await place()).toEqual([{ done: true, places: 0 }]);
      // A recent erasure waits until the calls on their way have been written.
      const number = plainNumber();
      await post(inboundPath, { messageId: randomUUID(), from: number, text: 'Oi' });
      await erase(number);
      expect(await clear(45_000)).toBe(0);
      expect((await app.app.services.pruning.prune()).erasedCalls).toBe(0);
      expect(await clear()).toBe(1);
    });

    test('a journal without end leaves each other tenant its share of a run', async () => {
      const idOf = (step: number) => `00000000-0000-7000-8000-${step.toString().padStart(12, '0')}`;
      let step = 0;
      const database = {
        query: (_: object, [tenantId, place]: [string, string]) => {
          const isOver = tenantId !== 'endless' && place !== lastId;
          step += 1;
          const call = {
            id: idOf(step),
            dialect: 'neutral',
            body: Buffer.from('{}'),
            result: null,
            receivedAt: new Date(),
          };
          return Promise.resolve(isOver ? [] : [call]);
        },
      };
      const kept: [tenant: string, place: string | null][] = [];
      const erasedIdentities = {
        listJournalSearches: () =>
          Promise.resolve(
            ['endless', 'second', 'third'].map((tenantId) => ({ tenantId, people: new Map(), place: lastId })),
          ),
        keepPlace: (_: object, { tenantId }: { tenantId: string }, place: string | null) => {
          kept.push([tenantId, place]);
          return Promise.resolve();
        },
        findInSearch: () => undefined,
      };
      const parts = { database, erasedIdentities, tenants: { findDefaultCountry: () => Promise.resolve(undefined) } };
      await new ErasedCallService({ ...(parts as unknown as ErasedCallOptions), runLimitMs: 3_000 }).clear(0);
      expect(kept.at(-3)).toEqual(['endless', expect.any(String)]);
      expect(kept.slice(-2)).toEqual([
        ['second', null],
        ['third', null],
      ]);
    });

    test('an erasure enqueues a search of the journal', async () => {
      const number = plainNumber();
      await post(inboundPath, { messageId: randomUUID(), from: number, text: 'Oi' });
      await erase(number);
      const [job] = await app.sql<{ delay: number }>(
        `SELECT round(extract(epoch FROM start_after - created_on))::int AS delay FROM pgboss.job
         WHERE name = 'erase-from-journal' ORDER BY created_on DESC LIMIT 1`,
      );
      expect(job?.delay).toBe(60);
    });

    async function formPath(): Promise<string> {
      const input = { kind: 'FORM', name: 'Landing page' } as const;
      const { createLeadSource: source } = await query(app, tenant.admin, CreateLeadSourceDocument, { input });
      return `/webhooks/leads/form/${source.id}`;
    }

    test('submissions that wait for a number go with the lead that has their address, and their calls too', async () => {
      const number = plainNumber();
      const path = await formPath();
      const held = async () =>
        (await app.sql<{ email: string }>('SELECT email FROM held_submissions WHERE tenant_id = $1', [tenant.id])).map(
          ({ email }) => email,
        );
      const call = await post(path, [{ email: 'Ana@example.com' }, { email: 'bea@example.com' }]);
      const alone = await post(path, {
        email: 'cleo@example.com',
        phone: `(${number.slice(2, 4)}) ${number.slice(4)}`,
      });
      expect((await held()).toSorted()).toEqual(['Ana@example.com', 'bea@example.com', 'cleo@example.com']);
      await post('/public/leads', { chat: number, contact: { mail: 'ana@example.com' } });
      await erase(number);
      expect(await held()).toEqual(['bea@example.com']);
      expect(JSON.parse((await read(call))?.body ?? '')).toEqual([{ email: 'bea@example.com' }]);
      expect(await read(alone)).toMatchObject({ body: '', isBodyComplete: false });
    });

    test.each([
      ['nothing says the country: everybody whose number ends so', '(11) 98888-7777', null, ['5511988887777'], true],
      ['a leading zero is of no country', '0 (11) 98888-7777', null, ['5511988887777'], true],
      ['too few digits', '(11) 8-8888', null, ['5511988888'], false],
      ['the country is known, the person', '(912) 345 678', 'PT', ['351912345678'], true],
      ['the country is known, a stranger whose number ends so', '(912) 345 678', 'PT', ['34912345678'], false],
      ['a national zero', '(0151) 2345 6789', 'DE', ['4915123456789'], true],
      ['a stranger in another country with that zero', '(0151) 2345 6789', 'DE', ['115123456789'], false],
      ['another writing of the same number', '(11) 8888-7777', 'BR', ['5511988887777'], true],
      ['no area code, within the country', '98888-7777', 'BR', ['5511988887777'], true],
      ['no area code, another country', '98888-7777', 'BR', ['351988887777'], false],
      ['international, and too long', '+5511988887777888', null, ['5511988887777'], false],
      ['one of several numbers', '(912) 345 678 / (913) 345 678', 'PT', ['351913345678'], true],
    ])('of a held number, %s', (_name, written, country, numbers, expected) => {
      expect(belongsTo({ written, country }, numbers)).toBe(expected);
    });

    test('a stranger whose held number ends as the erased one stays, once the country is known', async () => {
      const path = await formPath();
      await post(path, { email: 'cleo@example.com', phone: '(912) 345-678' });
      await app.sql("UPDATE tenants SET default_country = 'PT' WHERE id = $1", [tenant.id]);
      const held = () => app.sql('SELECT email FROM held_submissions WHERE tenant_id = $1', [tenant.id]);
      for (const [number, left] of [
        ['34912345678', [{ email: 'cleo@example.com' }]],
        ['351912345678', []],
      ] as const) {
        await post('/public/leads', { chat: `+${number}` });
        await erase(number);
        expect(await held()).toEqual(left);
      }
    });
  });
}
