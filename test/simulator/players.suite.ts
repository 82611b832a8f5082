// Each player, in each dress, at a real server: it arrives in the form that the table names. The table has a player for each kind in the
// server's own tables and in the guide.

import { readFileSync } from 'node:fs';
import { eventSchemas } from '../../src/providers/neutral/event.schema.js';
import { emptyMetaTypes, quietMetaTypes } from '../../src/providers/meta/said.js';
import { networkKinds } from '../../src/providers/whatsapp/kinds.js';
import { playableVariants } from '../../src/simulator/play.js';
import { PLAYERS } from '../../src/simulator/players.js';
import { startGatewaySimulator, type GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import type { WebhookTarget } from '../../src/simulator/message.schema.js';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import {
  CreateLeadSourceDocument,
  LeadSourceDocument,
  MessageContentDocument,
  type CreateLeadSourceInput,
} from '../support/operations.js';
import { serviceOperator, TestApp, type TestTenant } from '../support/test-app.js';
import { PLAIN, startHarness, type Harness } from './simulator-harness.js';

const token = 'the-token-of-the-simulator';
const numberId = '555000777';

/** The dresses, each with the name that the simulator knows its instance by. */
const dresses = [
  { dress: 'gateway', instance: 'neutral', target: { dress: 'gateway' } },
  { dress: 'evolution', instance: 'evolution', target: { dress: 'evolution' } },
  { dress: 'waha', instance: 'waha', target: { dress: 'waha' } },
  {
    dress: 'cloud',
    instance: numberId,
    target: { cloud: { instanceId: '01990000-0000-7000-8000-000000000001', appSecret: token } },
  },
] as const;

const formUrl = 'http://127.0.0.1/form';
const everything = (target: WebhookTarget): WebhookTarget => ({
  ...target,
  googleForm: { url: formUrl, key: token },
  metaForm: { url: formUrl, appSecret: token },
});

/** The variants that a dress can play; a player without variants has a single variant without a name. */
const partsOf = (target: WebhookTarget) =>
  PLAYERS.flatMap(({ name, playedAs }) =>
    playableVariants(name, everything(target)).map((variant) => ({
      title: [name, variant].filter(Boolean).join(' '),
      player: name,
      playedAs,
      variant,
    })),
  );

interface Played {
  player: string;
  variant?: string;
}

interface Result {
  messageId?: string;
  leadId?: string;
  outcome?: string;
  reason?: string;
}

export function describePlayers(): void {
  describe.each(dresses)('at a server, in the dress $dress', ({ dress, instance, target }) => {
    let app: TestApp;
    let simulator: GatewaySimulator;
    let tenant: TestTenant;

    beforeAll(async () => {
      simulator = await startGatewaySimulator({ token, seed: `players of ${dress}`, defaults: PLAIN });
      app = await TestApp.start();
      tenant = await app.createTenant();
      const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
      const owned = { accountId: tenant.admin.accountId, baseUrl: simulator.url, token };
      const wanted = {
        gateway: { instanceName: instance },
        evolution: { instanceName: instance, provider: 'evolution' },
        waha: { instanceName: instance, provider: 'waha' },
        cloud: {
          instanceName: 'meta',
          provider: 'cloud',
          webhookSecret: token,
          metadata: { phoneNumberId: numberId, wabaId: '1' },
        },
      }[dress];
      const { id } = await app.app.services.chatInstances.create(serviceOperator, { ...owned, ...wanted }, place);
      const by = { webhookBaseUrl: app.url, tenantKey: tenant.apiKey };
      simulator.reportTo(
        'cloud' in target ? { ...by, cloud: { instanceId: id, appSecret: token } } : { ...by, ...target },
        instance,
      );
    });
    afterAll(async () => {
      await app.stop();
      await simulator.close();
    });

    /** Plays a variant. @returns the server's answers to all its calls, and the messages that came of them */
    async function play({ player, variant }: Played, from = plainNumber()) {
      simulator.clearHistory();
      await simulator.receiveFromLead({ instance, from, delayMs: 0, player, ...(variant && { variant }) });
      await simulator.idle();
      const calls = simulator.webhookCalls();
      expect(calls.map(({ status, answer }) => [status, answer])).toEqual(calls.map(() => [200, expect.any(String)]));
      const results = calls.flatMap(({ answer }) => (JSON.parse(answer) as { results: Result[] }).results);
      const ids = [...new Set(results.flatMap(({ messageId }) => messageId ?? []))];
      const messages = [];
      for (const id of ids) messages.push((await query(app, tenant.operator, MessageContentDocument, { id })).message!);
      return { results, messages };
    }

    test.each(partsOf(target).filter(({ playedAs }) => playedAs !== 'lead'))('$title', async (part) => {
      const { results, messages } = await play(part);
      const [first] = messages;
      switch (part.playedAs) {
        case 'quiet':
          expect(results).toEqual(results.map(() => ({ outcome: 'ignored', reason: expect.any(String) })));
          expect(messages).toEqual([]);
          break;
        case 'choice':
          expect(messages).toMatchObject([
            { choice: { kind: expect.any(String) }, isNotice: false, mayWantToStop: false },
          ]);
          expect(first?.lead).toMatchObject({ unreadCount: 1 });
          expect(JSON.stringify(messages)).not.toContain('flow_token');
          break;
        case 'call':
          expect(messages).toMatchObject([{ type: 'call', isNotice: false, lead: { unreadCount: 1 } }]);
          break;
        case 'notice':
          expect(first).toMatchObject({ type: 'notice', isNotice: true, body: expect.stringMatching(/./) });
          break;
        case 'placeholder':
          expect(messages).toHaveLength(1);
          break;
        case 'lead':
        case 'speech':
        default:
          expect(messages.length).toBeGreaterThan(0);
          for (const message of messages)
            expect(message).toMatchObject({ isNotice: false, direction: 'INBOUND', choice: null });
      }
    });

    test('what cannot be read yet is filled by its words', async () => {
      const { results, messages } = await play({ player: 'ciphertext' });
      expect(results).toHaveLength(2);
      expect(messages).toMatchObject([{ type: 'text', body: expect.stringMatching(/\w/), lead: { unreadCount: 1 } }]);
    });

    test('a kind that no list names keeps its word', async () => {
      expect((await play({ player: 'unknown-kind' })).messages).toMatchObject([
        { type: expect.stringMatching(/^hologram/), body: null },
      ]);
    });

    test('an ad is on its message and on its lead; a message without words has the headline', async () => {
      for (const variant of ['ad', 'post', 'product', 'without-words']) {
        const { messages } = await play({ player: 'ad', variant });
        const [row] = await app.sql<{ referral: Record<string, string>; source: string }>(
          `SELECT m.referral, l.source FROM messages m JOIN leads l ON l.id = m.lead_id WHERE m.id = $1`,
          [messages[0]?.id],
        );
        const kind = variant === 'without-words' ? 'AD' : variant.toUpperCase();
        expect(row).toMatchObject({
          referral: { kind, sourceId: expect.stringMatching(/^\d{18}$/) },
          source: kind.toLowerCase(),
        });
        if (variant === 'without-words') expect(messages[0]?.body).toBe(row?.referral['headline']);
        if (kind === 'AD') expect(row?.referral['clickId']).toMatch(/^Aff/);
      }
    });

    test('a word that opts out counts where it was typed, not where it was chosen or said among others', async () => {
      const optedOut = async (player: string) => {
        const { messages } = await play({ player });
        const rows = await app.sql('SELECT 1 FROM opt_outs o JOIN messages m USING (lead_id) WHERE m.id = $1', [
          messages[0]?.id,
        ]);
        return { isOut: rows.length > 0, mayWantToStop: messages[0]?.mayWantToStop };
      };
      expect(await optedOut('stop-typed')).toEqual({ isOut: true, mayWantToStop: false });
      expect(await optedOut('stop-chosen')).toEqual({ isOut: false, mayWantToStop: false });
      expect(await optedOut('stop-said')).toEqual({ isOut: false, mayWantToStop: true });
    });

    test('what was forwarded says so, and an album is three pictures', async () => {
      expect((await play({ player: 'forwarded' })).messages).toMatchObject([{ isForwarded: true }]);
      const { messages, results } = await play({ player: 'album' });
      expect(messages).toMatchObject(
        Array.from({ length: 3 }, () => ({ type: 'image', body: expect.anything() })).map(({ type }) => ({ type })),
      );
      expect(results.filter(({ outcome }) => outcome === 'ignored')).toHaveLength(tellsHeader(dress) ? 1 : 0);
      const states = async () =>
        app.sql<{ state: string }>(
          'SELECT DISTINCT f.state FROM media_files f JOIN messages m ON m.id = f.message_id WHERE m.lead_id = $1',
          [results.at(-1)?.leadId],
        );
      expect(await until(states, (seen) => seen.every(({ state }) => state === 'STORED'))).toEqual([
        { state: 'STORED' },
      ]);
    });

    if (dress === 'gateway' || dress === 'cloud')
      test('a person with a new number is one lead, and writes from it', async () => {
        const from = plainNumber();
        const { messages } = await play({ player: 'number-changed' }, from);
        expect(messages).toHaveLength(2);
        expect(new Set(messages.map(({ lead }) => lead.id)).size).toBe(1);
        expect(messages[0]?.lead.chat).not.toBe(from);
      });

    test('a call that was late has its own time', async () => {
      const { messages } = await play({ player: 'late-call' });
      expect(Date.now() - Date.parse(String(messages[0]?.providerTimestamp))).toBeGreaterThan(3_500_000);
    });
  });

  describe('forms', () => {
    let app: TestApp;
    let simulator: GatewaySimulator;
    let tenant: TestTenant;
    const sources = new Map<string, string>();

    beforeAll(async () => {
      simulator = await startGatewaySimulator({ token, seed: 'players of forms', defaults: PLAIN });
      app = await TestApp.start();
      tenant = await app.createTenant();
      const create = async (input: CreateLeadSourceInput) => {
        const { createLeadSource } = await query(app, tenant.admin, CreateLeadSourceDocument, { input });
        sources.set(input.kind.toLowerCase(), createLeadSource.id);
        return app.url + createLeadSource.path;
      };
      const google = await create({ kind: 'GOOGLE', name: 'Search ads', key: token });
      const place = { appSecret: token, accessToken: token, baseUrl: simulator.url };
      const meta = await create({ kind: 'META', name: 'Lead Ads', ...place });
      simulator.reportTo({ googleForm: { url: google, key: token }, metaForm: { url: meta, appSecret: token } });
    });
    afterAll(async () => {
      await app.stop();
      await simulator.close();
    });

    const countLeads = async () => (await app.sql('SELECT 1 FROM leads WHERE tenant_id = $1', [tenant.id])).length;
    const testedAt = async (form: string) => {
      const { leadSource } = await query(app, tenant.admin, LeadSourceDocument, { id: sources.get(form)! });
      return leadSource?.lastTestAt ?? null;
    };

    test.each(['google', 'meta'] as const)('of %s: its test is no lead, and a lead is one', async (form) => {
      const said = { instance: 'any', from: plainNumber(), player: `${form}-form` } as const;
      const before = await countLeads();
      const tested = await simulator.receiveFromLead({ ...said, variant: 'test' });
      expect(tested.call).toMatchObject({ kind: 'form', status: 200 });
      expect(JSON.stringify(tested.call)).not.toContain(token);
      await until(
        () => testedAt(form),
        (at) => at !== null,
      );
      expect(await countLeads()).toBe(before);
      await simulator.receiveFromLead({ ...said, variant: 'lead' });
      await until(countLeads, (count) => count === before + 1);
    });
  });

  describe('asked for by name', () => {
    let harness: Harness;
    beforeAll(async () => {
      harness = await startHarness();
    });
    afterAll(() => harness.close());

    const says = (said: object) =>
      harness.call('POST', '/simulator/inbound', { instance: 'acme', from: '447700900123', ...said });

    test('a player answers with its id and the call, and its later steps come after the delay', async () => {
      const { body } = await says({ player: 'number-changed', delayMs: 0, language: 'pt' });
      expect(body).toMatchObject({ messageId: expect.stringMatching(/^3EB0/), webhook: { status: 200 } });
      await harness.simulator.idle();
      expect(harness.receiver.replies().slice(-2)).toMatchObject([
        { type: 'notice', from: '447700900123', notice: { kind: 'NUMBER_CHANGED', newFrom: expect.any(String) } },
        { text: 'Este é o meu novo número.' },
      ]);
    });

    test.each([
      [{ player: 'juggler' }, 400, /^player: /],
      [{ player: 'ad', variant: 'poster' }, 400, /^variant: has to be one of: ad, post, product, without-words$/],
      [{ player: 'button', variant: 'red' }, 400, /^variant: button has none$/],
      [{ player: 'ad', delayMs: 3_600_001 }, 400, /^delayMs: /],
      [{ player: 'ad', delayMs: -1 }, 400, /^delayMs: /],
      [{ player: 'ad', language: 'de' }, 400, /^language: /],
      [{ player: 'ad', text: 'Hi' }, 400, /^player: cannot be combined/],
      [{ player: 'ad', fromPhone: true }, 400, /^fromPhone: is not for a player$/],
      [{ text: 'Hi', variant: 'ad' }, 400, /^variant: is for a player only$/],
      [{ text: 'Hi', delayMs: 1 }, 400, /^delayMs: is for a player only$/],
      [{ player: 'poll-vote' }, 409, /^player: poll-vote cannot be said in the dress gateway$/],
      [{ player: 'quiet', variant: 'security' }, 409, /^variant: security of quiet cannot/],
      [{ player: 'google-form' }, 409, /^player: google-form needs the form's address/],
    ])('%j is %d', async (said, status, message) => {
      const before = harness.receiver.calls.length;
      const answer = await says(said);
      expect(answer).toMatchObject({ status, body: { error: { message: expect.stringMatching(message) } } });
      expect(harness.receiver.calls).toHaveLength(before);
    });

    test('the table can be read', async () => {
      const { body } = await harness.call('GET', '/simulator/players');
      expect(body.players).toHaveLength(PLAYERS.length);
      expect(body.players[0]).toEqual({
        name: 'button',
        meaning: expect.any(String),
        playedAs: 'choice',
        variants: [],
      });
    });
  });

  describe('the table', () => {
    const page = readFileSync(new URL('../../src/docs/message-kinds.md', import.meta.url), 'utf8');
    const variants = new Map(PLAYERS.map(({ name, variants: names = [] }) => [name, names]));
    let harness: Harness;
    let told: string;

    // Plays all players and changes in a dress. @returns the bodies of all its calls as one text
    async function tellAll({ instance, target }: (typeof dresses)[number]): Promise<string> {
      const { simulator, receiver } = harness;
      simulator.reportTo(everything(target), instance);
      const before = receiver.calls.length;
      const says = (said: object) => simulator.receiveFromLead({ instance, from: '447700900123', delayMs: 0, ...said });
      for (const { player, variant } of partsOf(target)) await says({ player, ...(variant && { variant }) });
      const { messageId } = await simulator.receiveFromLead({ instance, from: '447700900123', text: 'Oi' });
      const changes = [
        { reaction: { messageId, emoji: '👍' } },
        { edit: { messageId, text: 'Olá' } },
        { deletion: { messageId } },
      ];
      for (const change of changes) await simulator.receiveFromLead({ instance, from: '447700900123', ...change });
      await simulator.idle();
      return receiver.calls
        .slice(before)
        .map(({ raw }) => raw)
        .join('\n');
    }

    beforeAll(async () => {
      harness = await startHarness();
    });
    afterAll(() => harness.close());

    test('has a player for each part of the network that the server sorts', async () => {
      const spoken = [...networkKinds].filter(([, sort]) => sort !== 'context').map(([name]) => name);
      for (const dress of dresses.filter(({ dress: name }) => name === 'evolution' || name === 'waha')) {
        told = await tellAll(dress);
        const isTold = (name: string) => told.includes(`"${name}":`);
        // Evolution has separate events for edits and deletions; WAHA has one for reactions.
        const others = dress.dress === 'evolution' ? ['protocolMessage'] : ['reactionMessage'];
        expect(spoken.filter((name) => !isTold(name) && !others.includes(name))).toEqual([]);
      }
    });

    test('has a variant for each quiet kind of the guide', () => {
      const bullets = page.slice(page.indexOf('## Quiet with')).matchAll(/^- (`.*)$/gm);
      const names = [...bullets].flatMap(([, line = '']) =>
        [...line.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name),
      );
      expect(names.length).toBeGreaterThan(60);
      const played = new Set(variants.get('quiet'));
      expect([...names, ...quietMetaTypes].filter((name) => !played.has(name))).toEqual([]);
    });

    test("tells each kind of the neutral dialect's and of Meta's in its dress", async () => {
      told = await tellAll(dresses[0]);
      for (const type of Object.keys(eventSchemas)) expect(told).toContain(`"type":"${type}"`);
      for (const kind of ['BUTTON', 'LIST', 'FLOW', 'NUMBER_CHANGED', 'IDENTITY_CHANGED', 'CALL_PERMISSION', 'OTHER'])
        expect(told).toContain(`"kind":"${kind}"`);
      told = await tellAll(dresses[3]);
      for (const type of ['interactive', 'button', 'system', 'image', [...emptyMetaTypes].at(-1)])
        expect(told).toContain(`"type":"${type}"`);
      expect(told).toContain('"field":"calls"');
    });
  });
}

// Only the two dresses of the network announce an album.
function tellsHeader(dress: string): boolean {
  return dress === 'evolution' || dress === 'waha';
}
