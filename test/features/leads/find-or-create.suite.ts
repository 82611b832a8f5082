// Leads found or created by identity: people with several identities, gains of a known lead, costs, and simultaneous calls.

import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import type { LeadContact } from '../../../src/features/leads/lead.service.js';
import {
  after,
  bsuid,
  findOrCreate,
  identitiesOf,
  leadEvents,
  leadOf,
  lid,
  messagesOf,
  phone,
  readLead,
  receive,
  transact,
  withLeadTenants,
  write,
} from './lead-harness.js';
import type { LeadIdentity } from '../../../src/providers/reported.js';

export function describeFindOrCreate(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withLeadTenants((made) => ({ app, tenant } = made));

  const number = '5511988887777';

  describe('a new person', () => {
    test('with a number and hidden identities is one lead with all of them', async () => {
      const [found] = await findOrCreate(app, tenant, [
        { identities: [lid('1234567'), phone(number), bsuid('BR.99')] },
      ]);
      expect(found).toMatchObject({ created: true, lead: { name: number, chat: number, source: 'test' } });
      expect(await identitiesOf(app, found!.lead.id)).toEqual(['BSUID:BR.99', 'LID:1234567', `PHONE:${number}`]);
      expect(await leadEvents(app, tenant)).toEqual([`LEAD_CREATED ${found!.lead.id}`]);
    });

    test.each([
      ['LID', lid('209876541234'), 'Hidden number 1234'],
      ['BSUID', bsuid('US.13491208655302741918'), 'Hidden number 1918'],
      ['an id of two characters', bsuid('x1'), 'Hidden number x1'],
    ])('with a hidden number only (%s) has no chat, and a name that tells so', async (_kind, identity, name) => {
      const [found] = await findOrCreate(app, tenant, [{ identities: [identity] }]);
      expect(found?.lead).toMatchObject({ name, chat: null });
    });

    test('takes the first name that any of the contacts gives', async () => {
      const found = await findOrCreate(app, tenant, [
        { identities: [phone(number)] },
        { identities: [phone(number)], name: 'Ana' },
        { identities: [phone(number)], name: 'Bia' },
      ]);
      expect(found.map(({ lead, created }) => [lead.name, created])).toEqual([
        ['Ana', true],
        ['Ana', false],
        ['Ana', false],
      ]);
      expect(await leadEvents(app, tenant)).toEqual([`LEAD_CREATED ${found[0]?.lead.id}`]);
    });

    test('gives the answer that every other call gives', async () => {
      const [created] = await findOrCreate(app, tenant, [
        { identities: [phone(number)], name: 'Ana', source: 'fair', metadata: { stand: 7 } },
      ]);
      const [known] = await findOrCreate(app, tenant, [
        { identities: [phone('551188887777')], name: 'Bia', source: 'x' },
      ]);
      expect(known).toEqual({ ...created, created: false });
      expect(Object.keys(known!.lead).sort()).toEqual(
        ['chat', 'createdAt', 'id', 'metadata', 'name', 'numberValidity', 'source', 'updatedAt'].sort(),
      );
    });
  });

  describe('contacts of one call', () => {
    test('who share an identity are one person, however many steps apart; the others are not', async () => {
      const found = await findOrCreate(app, tenant, [
        { identities: [lid('a')] },
        { identities: [phone('4915100000001')] },
        { identities: [bsuid('b')] },
        { identities: [bsuid('other')] },
        { identities: [bsuid('b'), phone('4915100000001')] },
        { identities: [bsuid('b'), lid('a')] },
      ]);
      const ids = found.map(({ lead }) => lead.id);
      expect(new Set([ids[0], ids[1], ids[2], ids[4], ids[5]]).size).toBe(1);
      expect(ids[3]).not.toBe(ids[0]);
      expect(found.map(({ created }) => created)).toEqual([true, false, false, true, false, false]);
      expect(await identitiesOf(app, ids[0]!)).toEqual(['BSUID:b', 'LID:a', 'PHONE:4915100000001']);
      expect(await readLead(app, ids[0]!)).toMatchObject({ chat: '4915100000001' });
    });

    test('an id of one kind is not the same id of another kind', async () => {
      const found = await findOrCreate(app, tenant, [
        { identities: [lid('4915100000001')] },
        { identities: [bsuid('4915100000001')] },
        { identities: [phone('4915100000001')] },
      ]);
      expect(new Set(found.map(({ lead }) => lead.id)).size).toBe(3);
    });

    test('new and known people in one call keep their places', async () => {
      const known = await leadOf(app, tenant, phone('4915100000002'));
      const found = await findOrCreate(app, tenant, [
        { identities: [phone('4915100000001')] },
        { identities: [phone('4915100000002')] },
        { identities: [phone('4915100000003')] },
      ]);
      expect(found.map(({ lead, created }) => [lead.chat, created])).toEqual([
        ['4915100000001', true],
        ['4915100000002', false],
        ['4915100000003', true],
      ]);
      expect(found[1]?.lead.id).toBe(known);
    });

    test('a tenant never finds the lead of another', async () => {
      const other = await app.createTenant();
      const foreign = await leadOf(app, other, phone(number), lid('x'));
      const own = await leadOf(app, tenant, lid('x'));
      expect(own).not.toBe(foreign);
      expect(await identitiesOf(app, foreign)).toEqual(['LID:x', `PHONE:${number}`]);
    });
  });

  describe('a known lead', () => {
    test('gains the identities that it lacks, and says so', async () => {
      const leadId = await leadOf(app, tenant, phone(number));
      const [found] = await findOrCreate(app, tenant, [{ identities: [phone(number), lid('x')] }]);
      expect(found).toMatchObject({ created: false, lead: { id: leadId, chat: number } });
      expect(await identitiesOf(app, leadId)).toEqual(['LID:x', `PHONE:${number}`]);
      expect(await leadEvents(app, tenant)).toEqual([`LEAD_CREATED ${leadId}`, `LEAD_UPDATED ${leadId}`]);
      expect(await leadOf(app, tenant, lid('x'))).toBe(leadId);
    });

    test('learns the number that was hidden, and is called by it', async () => {
      const leadId = await leadOf(app, tenant, lid('x1234'));
      const [found] = await findOrCreate(app, tenant, [{ identities: [phone(number), lid('x1234')] }]);
      expect(found).toMatchObject({ created: false, lead: { id: leadId, chat: number, name: number } });
    });

    test('keeps a name that was given when it learns its number', async () => {
      const [hidden] = await findOrCreate(app, tenant, [{ identities: [lid('x1234')], name: 'Ana' }]);
      const [found] = await findOrCreate(app, tenant, [{ identities: [phone(number), lid('x1234')], name: 'Bia' }]);
      expect(found?.lead).toMatchObject({ id: hidden!.lead.id, chat: number, name: 'Ana' });
    });

    test('keeps its number when another becomes known', async () => {
      const leadId = await leadOf(app, tenant, phone(number), lid('x'));
      await leadOf(app, tenant, lid('x'), phone('4915100000001'));
      expect(await readLead(app, leadId)).toMatchObject({ chat: number });
      expect(await identitiesOf(app, leadId)).toEqual(['LID:x', 'PHONE:4915100000001', `PHONE:${number}`]);
    });

    test('comes back unchanged, and emits nothing, where nothing is new', async () => {
      const leadId = await leadOf(app, tenant, phone(number), lid('x'));
      const before = await app.sql('SELECT * FROM leads WHERE id = $1', [leadId]);
      for (const [identity, ...others] of [[phone(number)], [lid('x')], [lid('x'), phone('551188887777')]])
        expect(await leadOf(app, tenant, identity!, ...others)).toBe(leadId);
      expect(await app.sql('SELECT * FROM leads WHERE id = $1', [leadId])).toEqual(before);
      expect(await leadEvents(app, tenant)).toEqual([`LEAD_CREATED ${leadId}`]);
    });
  });

  describe('names', () => {
    test.each<[string, LeadIdentity, string]>([
      ['a number', phone(number), number],
      ['a word for a hidden number', lid('x1234'), 'Hidden number 1234'],
    ])('%s gives way to the name that the network shows, once', async (_what, identity, placeholder) => {
      const leadId = await leadOf(app, tenant, identity);
      expect(await readLead(app, leadId)).toMatchObject({ name: placeholder });
      await write(app, tenant, [identity], 'Ana');
      await write(app, tenant, [identity], 'Ana Maria');
      expect(await readLead(app, leadId)).toMatchObject({ name: 'Ana' });
      expect(await leadEvents(app, tenant)).toEqual([`LEAD_CREATED ${leadId}`, `LEAD_UPDATED ${leadId}`]);
    });

    test.each(['Ana', 'Hidden number 9999', 'Hidden number 12345', 'hidden number 1234'])(
      '%j was given, and stays',
      async (name) => {
        const [found] = await findOrCreate(app, tenant, [{ identities: [lid('x1234')], name }]);
        await write(app, tenant, [lid('x1234')], 'Bia');
        expect(await readLead(app, found!.lead.id)).toMatchObject({ name });
        expect(await leadEvents(app, tenant)).toEqual([`LEAD_CREATED ${found!.lead.id}`]);
      },
    );

    test('a word that was made from another identity of the lead gives way as well', async () => {
      const leadId = await leadOf(app, tenant, lid('x1234'));
      await write(app, tenant, [lid('x1234'), bsuid('BR.5678')]);
      await write(app, tenant, [bsuid('BR.5678')], 'Ana');
      expect(await readLead(app, leadId)).toMatchObject({ name: 'Ana' });
    });

    test('the number and the name can come in one call', async () => {
      const leadId = await leadOf(app, tenant, lid('x1234'));
      await write(app, tenant, [phone(number), lid('x1234')], 'Ana');
      expect(await readLead(app, leadId)).toMatchObject({ name: 'Ana', chat: number });
    });

    test('a lead that is posted again comes back unchanged, whatever its name', async () => {
      const first = await app.post('/public/leads', { chat: number }, withKey(tenant));
      const again = await app.post('/public/leads', { chat: number, name: 'Ana' }, withKey(tenant));
      expect(await again.json()).toEqual({ ...((await first.json()) as object), created: false });
      expect((await leadEvents(app, tenant)).length).toBe(1);
    });
  });

  describe('statements', () => {
    async function countStatements(contacts: LeadContact[]): Promise<number> {
      return transact(app, tenant, async (tx) => {
        let count = 0;
        const query: typeof tx.query = (statement, values) => {
          count += 1;
          return tx.query(statement, values);
        };
        await app.app.services.leads.findOrCreate({ ...tx, query }, contacts, 'test');
        return count;
      });
    }
    const people = (from: number, count: number, also: (index: number) => LeadIdentity[] = () => []): LeadContact[] =>
      Array.from({ length: count }, (_, index) => ({
        identities: [phone(`49151${String(from + index).padStart(8, '0')}`), ...also(index)],
        name: `Person ${index}`,
      }));

    test('hundreds of known leads cost one', async () => {
      await findOrCreate(app, tenant, people(0, 400));
      expect(await countStatements(people(0, 400))).toBe(1);
      expect(await countStatements([])).toBe(0);
    });

    test('hundreds of new ones cost two', async () => {
      const nameless = people(0, 200).map(({ identities }) => ({ identities }));
      expect(await countStatements([...nameless, ...people(0, 200)])).toBe(2);
    });

    test('the number of those who gain an identity or a name makes no difference', async () => {
      const costs: number[] = [];
      for (const [from, count] of [
        [1_000, 2],
        [2_000, 200],
      ] as const) {
        const nameless = people(from, count).map(({ identities }) => ({ identities }));
        await findOrCreate(app, tenant, nameless);
        costs.push(await countStatements(people(from, count, (index) => [lid(`${from}-${index}`)])));
        costs.push(await countStatements(people(from, count, (index) => [bsuid(`${from}-${index}`)])));
      }
      expect(costs.slice(0, 2)).toEqual(costs.slice(2));
      expect(Math.max(...costs)).toBeLessThan(10);
    });
  });

  describe('simultaneous calls', () => {
    // Some call links every two neighbours, so all identities are one person; the orders differ.
    const identities = [phone(number), lid('a'), bsuid('b'), lid('c'), phone('4915100000001'), bsuid('d')];
    const pairs = identities.flatMap((one, index) => identities.slice(index + 1).map((other) => [one, other] as const));

    test('30 with overlapping identities: one lead with all of them, and every message', async () => {
      const written = Array.from({ length: 30 }, (_, index) => {
        const [one, other] = pairs[index % pairs.length]!;
        return index % 2 === 0 ? [one, other] : [other, one];
      });
      const ids = await Promise.all(written.map((from) => write(app, tenant, from as [LeadIdentity, LeadIdentity])));
      const leadId = await leadOf(app, tenant, phone(number));
      expect(await identitiesOf(app, leadId)).toHaveLength(identities.length);
      expect((await messagesOf(app, leadId)).sort()).toEqual(ids.sort());
      expect(await readLead(app, leadId)).toMatchObject({ unreadCount: 30, mergedIntoId: null });
      const open = await app.sql('SELECT id FROM leads WHERE tenant_id = $1 AND merged_into_id IS NULL', [tenant.id]);
      expect(open).toEqual([{ id: leadId }]);
    });

    test('what another call was first with is found, and no lead is left that nobody sees', async () => {
      const first: string[] = [];
      const found = await transact(app, tenant, (tx) => {
        const interrupted = after(tx, 'select-leads-by-identity', async () => {
          first.push(await leadOf(app, tenant, phone(number)), await leadOf(app, tenant, bsuid('b')));
        });
        const contacts: LeadContact[] = [
          { identities: [lid('a'), phone(number)], name: 'Ana', source: 'fair' },
          { identities: [bsuid('b')] },
          { identities: [bsuid('new')] },
        ];
        return app.app.services.leads.findOrCreate(interrupted, contacts, 'test');
      });
      expect(found.map(({ created }) => created)).toEqual([false, false, true]);
      const ids = found.map(({ lead }) => lead.id);
      expect(ids.slice(0, 2)).toEqual(first);
      expect(found[0]?.lead).toMatchObject({ name: 'Ana', chat: number, source: 'test' });
      expect(await identitiesOf(app, ids[0]!)).toEqual(['LID:a', `PHONE:${number}`]);
      expect((await app.sql('SELECT id FROM leads WHERE tenant_id = $1', [tenant.id])).length).toBe(3);
      expect(await leadEvents(app, tenant)).toEqual([
        `LEAD_CREATED ${first[0]}`,
        `LEAD_CREATED ${first[1]}`,
        `LEAD_CREATED ${ids[2]}`,
        `LEAD_UPDATED ${first[0]}`,
      ]);
      expect(await app.sql('SELECT id FROM lead_merges WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    });

    test('30 of one person with all identities: one lead is created, once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => {
          const turned = [...identities.slice(index % 6), ...identities.slice(0, index % 6)];
          return findOrCreate(app, tenant, [{ identities: turned as [LeadIdentity, ...LeadIdentity[]] }]);
        }),
      );
      const found = answers.flat();
      expect(new Set(found.map(({ lead }) => lead.id)).size).toBe(1);
      expect(found.filter(({ created }) => created)).toHaveLength(1);
      expect(await leadEvents(app, tenant)).toEqual([`LEAD_CREATED ${found[0]!.lead.id}`]);
      expect(await app.sql('SELECT id FROM leads WHERE tenant_id = $1', [tenant.id])).toHaveLength(1);
    });

    test('batches that link many people in opposite orders', async () => {
      const count = 12;
      const hidden = Array.from({ length: count }, (_, index) => lid(`h${index}`));
      const numbers = Array.from({ length: count }, (_, index) =>
        phone(`49151000010${String(index).padStart(2, '0')}`),
      );
      // Half of the pairs are two leads already.
      for (let index = 0; index < count; index += 2) {
        await leadOf(app, tenant, hidden[index]!);
        await leadOf(app, tenant, numbers[index]!);
      }
      const linked = hidden.map((identity, index) => ({
        from: [identity, numbers[index]!] as [LeadIdentity, LeadIdentity],
      }));
      const apart = [...hidden, ...numbers].map((identity) => ({ from: [identity] as [LeadIdentity] }));
      const batches = Array.from({ length: 9 }, (_, index) => {
        const batch = index % 3 === 0 ? apart : linked;
        return index % 2 === 0 ? batch : batch.toReversed();
      });
      await Promise.all(batches.map((batch) => receive(app, tenant, batch)));
      const leads = await app.sql<{ id: string; unread: number }>(
        'SELECT id, unread_count AS unread FROM leads WHERE tenant_id = $1 AND merged_into_id IS NULL',
        [tenant.id],
      );
      expect(leads.map(({ unread }) => unread)).toEqual(Array.from({ length: count }, () => 12));
      for (const { id } of leads) expect(await messagesOf(app, id)).toHaveLength(12);
    });
  });
}
