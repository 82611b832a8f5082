// Users and their accounts over GraphQL.

import { randomUUID } from 'node:crypto';
import { until } from '../features/messages/sending-harness.js';
import { execute, failureOf, query } from '../support/graphql-client.js';
import {
  ColleaguesDocument,
  CreateUserDocument,
  MeDocument,
  UpdateUserDocument,
  UserDocument,
  UsersDocument,
  type CreateUserInput,
  type UpdateUserInput,
} from '../support/operations.js';
import { withSharedApp } from '../support/shared-app.js';
import type { TestApp, TestTenant } from '../support/test-app.js';

export function describeUsers(): void {
  let app: TestApp;
  let platform: TestTenant;
  let tenant: TestTenant;
  let other: TestTenant;

  withSharedApp((made) => ({ app, platform, tenant, other } = made));

  const newEmail = () => `u-${randomUUID()}@test.example`;
  const create = (input: CreateUserInput, by = tenant.admin) => execute(app, by, CreateUserDocument, { input });
  const update = (id: string, input: UpdateUserInput, by = tenant.admin) =>
    execute(app, by, UpdateUserDocument, { id, input });

  /** Creates a user. Only the platform may give a subject. */
  async function created(input: Partial<CreateUserInput> = {}) {
    const [by, where] = input.idpSub == null ? [tenant.admin, {}] : [platform.admin, { tenantId: tenant.id }];
    const { data } = await create({ email: newEmail(), role: 'OPERATOR', ...where, ...input }, by);
    if (data == null) throw new Error('the user was not created');
    return data.createUser;
  }

  describe('creating', () => {
    test('a user with an account, who signs in', async () => {
      const idpSub = randomUUID();
      const email = newEmail();
      const user = await created({ email, idpSub, role: 'ADMIN', name: 'Ana' });
      expect(user).toMatchObject({
        email,
        idpSub,
        role: 'ADMIN',
        name: 'Ana',
        isActive: true,
        tenant: { id: tenant.id },
      });
      expect(user.account.name).toBe('Ana');
      const token = await app.signIn(idpSub);
      const { me } = await query(app, { ...tenant.admin, token }, MeDocument, {});
      expect(me).toMatchObject({ id: user.id, accountId: user.account.id, tenantId: tenant.id, role: 'ADMIN' });
    });

    test('the account is named as wished, else after the user, else by e-mail address', async () => {
      const email = newEmail();
      expect((await created({ accountName: 'Sales', name: 'Ana' })).account.name).toBe('Sales');
      expect((await created({ email })).account.name).toBe(email);
    });

    test.each([
      ['the e-mail address, in another letter case', () => ({ email: `${tenant.slug}-ADMIN@TEST.example` })],
      ["a colleague's subject", () => ({ idpSub: tenant.admin.idpSub, tenantId: tenant.id })],
      ["another tenant's subject", () => ({ idpSub: other.admin.idpSub, tenantId: tenant.id })],
    ])('taken: %s → CONFLICT', async (_, input) => {
      const wanted: CreateUserInput = { email: newEmail(), role: 'OPERATOR', ...input() };
      const by = wanted.idpSub == null ? tenant.admin : platform.admin;
      expect(failureOf(await create(wanted, by)).code).toBe('CONFLICT');
    });

    test('a subject is the platform’s to give, so that nobody is told whether another tenant has it', async () => {
      const answers = [other.admin.idpSub, tenant.operator.idpSub, randomUUID()].flatMap((idpSub) => [
        create({ email: newEmail(), role: 'OPERATOR', idpSub }),
        update(tenant.operator.id, { idpSub: idpSub === tenant.operator.idpSub ? tenant.admin.idpSub : idpSub }),
      ]);
      for (const { errors } of await Promise.all(answers))
        expect(errors).toMatchObject([
          {
            message: expect.stringContaining('idpSub: only an ADMIN of the platform'),
            extensions: { code: 'FORBIDDEN' },
          },
        ]);
      // The same subject again changes nothing.
      const same = await update(tenant.operator.id, { idpSub: tenant.operator.idpSub, name: 'Caio' });
      expect(same.data?.updateUser).toMatchObject({ idpSub: tenant.operator.idpSub, name: 'Caio' });
    });

    test('a tenant has 2,000 users at most', async () => {
      const full = await app.createTenant();
      await app.sql(
        `INSERT INTO users (tenant_id, id, role, email, updated_at)
       SELECT $1, gen_random_uuid(), 'OPERATOR', 'many-' || n || '@test.example', now() FROM generate_series(1, 1998) AS n`,
        [full.id],
      );
      const { errors } = await create({ email: newEmail(), role: 'OPERATOR' }, full.admin);
      expect(errors).toMatchObject([{ message: 'A tenant has at most 2000 users', extensions: { code: 'CONFLICT' } }]);
    });

    test('the same e-mail address in two tenants is two users', async () => {
      const email = newEmail();
      expect((await create({ email, role: 'OPERATOR' })).errors).toBeUndefined();
      expect((await create({ email, role: 'OPERATOR' }, other.admin)).errors).toBeUndefined();
    });

    test.each<[string, Partial<CreateUserInput>, string]>([
      ['no e-mail address', { email: 'nobody' }, 'email'],
      ['an empty subject', { idpSub: ' ' }, 'idpSub'],
      ['a long name', { name: 'a'.repeat(201) }, 'name'],
      ['a tenant that is no UUID', { tenantId: 'x' }, 'tenantId'],
    ])('%s is refused by name', async (_, input, path) => {
      const answer = await create({ email: newEmail(), role: 'OPERATOR', ...input });
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: [path] });
    });

    test('in another tenant: by the platform only', async () => {
      const input = { email: newEmail(), role: 'ADMIN' as const, tenantId: other.id };
      expect(failureOf(await create(input)).code).toBe('NOT_FOUND');
      const { data } = await create(input, platform.admin);
      expect(data?.createUser.tenant).toEqual({ id: other.id });
      expect(failureOf(await create({ ...input, tenantId: randomUUID() }, platform.admin)).code).toBe('NOT_FOUND');
    });
  });

  describe('reading', () => {
    test('ADMINs see everybody, filtered as they ask; OPERATORs the active ones', async () => {
      const gone = await created({ name: '100% Ana_Maria' });
      await update(gone.id, { isActive: false });
      const ids = async (filter: object) => {
        const { edges, totalCount } = (await query(app, tenant.admin, UsersDocument, { filter })).users;
        expect(totalCount).toBe(edges.length);
        return edges.map(({ node }) => node.id);
      };
      expect(await ids({ isActive: false })).toContain(gone.id);
      expect(await ids({ isActive: true })).not.toContain(gone.id);
      expect(await ids({ role: 'ADMIN' })).not.toContain(gone.id);
      for (const search of ['ana_', 'ANA_MARIA', '0% a', gone.email.toUpperCase()])
        expect(await ids({ search })).toEqual([gone.id]);
      expect(await ids({ search: 'Ana%Maria' })).toEqual([]);

      const seen = await query(app, tenant.operator, ColleaguesDocument, {});
      const colleagues = seen.users.edges.map(({ node }) => node.id);
      expect(colleagues).toContain(tenant.admin.id);
      expect(colleagues).not.toContain(gone.id);
      const refused = await execute(app, tenant.operator, ColleaguesDocument, { filter: { isActive: false } });
      expect(failureOf(refused).code).toBe('FORBIDDEN');
    });

    test('one whose account was taken away is nobody, and keeps nobody else from being seen', async () => {
      const gone = await created();
      await app.sql('DELETE FROM accounts WHERE user_id = $1', [gone.id]);
      const { users } = await query(app, tenant.admin, UsersDocument, {});
      expect(users.edges.map(({ node }) => node.id)).toContain(tenant.admin.id);
      expect(users.totalCount).toBe(users.edges.length);
      expect(await query(app, tenant.admin, UserDocument, { id: gone.id })).toEqual({ user: null });
    });

    test('pages follow each other without gap or repetition', async () => {
      await Promise.all([created(), created(), created()]);
      const all = (await query(app, tenant.admin, UsersDocument, {})).users.edges.map(({ node }) => node.id);
      const paged: string[] = [];
      let after: string | null | undefined;
      do {
        const { users } = await query(app, tenant.admin, UsersDocument, { first: 2, after });
        paged.push(...users.edges.map(({ node }) => node.id));
        after = users.pageInfo.hasNextPage ? users.pageInfo.endCursor : undefined;
      } while (after !== undefined);
      expect(paged).toEqual(all);
    });

    test.each([
      ['another tenant’s', () => other.admin.id],
      ['unknown', () => randomUUID()],
      ['no', () => 'x'],
    ])('%s id is null', async (_, id) => {
      expect(await query(app, tenant.admin, UserDocument, { id: id() })).toEqual({ user: null });
    });
  });

  describe('changing', () => {
    test('given fields change, the others stay, null takes away', async () => {
      const user = await created({ name: 'Ana', idpSub: randomUUID() });
      const { data } = await update(user.id, { role: 'ADMIN', accountName: 'Sales' });
      expect(data?.updateUser).toEqual({ ...user, role: 'ADMIN', account: { id: user.account.id, name: 'Sales' } });
      const { data: later } = await update(user.id, { name: null, idpSub: null });
      expect(later?.updateUser).toMatchObject({ name: null, idpSub: null, role: 'ADMIN', email: user.email });
    });

    test.each<[string, UpdateUserInput, string]>([
      ['an e-mail address of null', { email: null }, 'email'],
      ['a role of null', { role: null }, 'role'],
      ['an account without a name', { accountName: ' ' }, 'accountName'],
    ])('%s is refused by name', async (_, input, path) => {
      const answer = await update(tenant.operator.id, input);
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: [path] });
    });

    test('taken fields are CONFLICT; nobody of another tenant is found', async () => {
      const byPlatform = await update(platform.operator.id, { idpSub: other.admin.idpSub }, platform.admin);
      expect(failureOf(byPlatform).code).toBe('CONFLICT');
      const email = `${tenant.slug}-admin@test.example`;
      expect(failureOf(await update(tenant.operator.id, { email })).code).toBe('CONFLICT');
      expect(failureOf(await update(other.operator.id, { name: 'X' })).code).toBe('NOT_FOUND');
      expect(failureOf(await update(tenant.operator.id, { name: 'X' }, platform.admin)).code).toBe('NOT_FOUND');
      expect(failureOf(await update('x', { name: 'X' })).code).toBe('NOT_FOUND');
    });

    test('one active ADMIN is always left, also when two take leave at once', async () => {
      const lonely = await app.createTenant();
      const refused = [{ isActive: false }, { role: 'OPERATOR' as const }];
      for (const input of refused)
        expect(failureOf(await update(lonely.admin.id, input, lonely.admin)).code).toBe('CONFLICT');
      const { data } = await create({ email: newEmail(), role: 'ADMIN' }, lonely.admin);
      const second = data?.createUser.id ?? '';
      const both = await Promise.all(
        [lonely.admin.id, second].map((id) => update(id, { isActive: false }, lonely.admin)),
      );
      expect(both.map((answer) => failureOf(answer).code ?? '').toSorted((one, two) => (one < two ? -1 : 1))).toEqual([
        '',
        'CONFLICT',
      ]);
    });
  });

  describe('sessions', () => {
    const me = (token: string) => execute(app, { ...tenant.operator, token }, MeDocument, {});

    test.each<[string, UpdateUserInput]>([
      ['is deactivated', { isActive: false }],
      ['gets no subject', { idpSub: null }],
    ])('a user who %s is out within 5 s', async (_, input) => {
      const user = await created({ idpSub: randomUUID() });
      const token = await app.signIn(user.idpSub ?? '');
      expect((await me(token)).errors).toBeUndefined();
      await update(user.id, input);
      await until(
        async () => failureOf(await me(token)).code,
        (code) => code === 'UNAUTHENTICATED',
        5_000,
      );
    });

    test('a changed role counts within 5 s, both ways', async () => {
      const user = await created({ idpSub: randomUUID() });
      const token = await app.signIn(user.idpSub ?? '');
      for (const role of ['ADMIN', 'OPERATOR'] as const) {
        await update(user.id, { role });
        await until(
          async () => (await me(token)).data?.me.role,
          (seen) => seen === role,
          5_000,
        );
      }
    });
  });
}
