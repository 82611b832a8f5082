// Which requests are answered together, and which never are.

import type { UserPrincipal } from '../../src/platform/principal.js';
import { SharedAnswers } from '../../src/transport/graphql/shared-answers.js';

interface Answer {
  text: string;
  hasFailed?: boolean;
}

const viewer = (changes: Partial<UserPrincipal> = {}): UserPrincipal => ({
  kind: 'user',
  tenantId: 'tenant',
  userId: 'user',
  accountId: 'account',
  role: 'OPERATOR',
  email: 'user@test.example',
  isPlatformTenant: false,
  ...changes,
});

/** Counts its executions; each answer is an object of its own. */
function startWork(make: (principal: UserPrincipal) => Answer | Promise<Answer>) {
  const shared = new SharedAnswers<Answer>({ isShareable: ({ hasFailed }) => hasFailed !== true });
  const executions: UserPrincipal[] = [];
  const ask = (text: string, asker = viewer()) =>
    shared.answer({ viewer: asker, text }, async (given) => {
      executions.push(given);
      return make(given);
    });
  return { ask, executions };
}

export function describeSharedAnswers(): void {
  test('what is asked alike in one turn is executed once, for all users of a tenant and role', async () => {
    const { ask, executions } = startWork(() => ({ text: 'page' }));
    const askers = ['a', 'b', 'c'].map((userId) => viewer({ userId, accountId: userId, email: userId }));
    const answers = await Promise.all(askers.map((asker) => ask('inbox', asker)));
    expect(executions).toHaveLength(1);
    expect(new Set(answers).size).toBe(1);
  });

  test('other questions, tenants, roles and platforms are executed for themselves', async () => {
    const { ask, executions } = startWork(({ tenantId, role }) => ({ text: `${tenantId} ${role}` }));
    const answers = await Promise.all([
      ask('inbox'),
      ask('leads'),
      ask('inbox', viewer({ tenantId: 'other' })),
      ask('inbox', viewer({ role: 'ADMIN' })),
      ask('inbox', viewer({ isPlatformTenant: true })),
    ]);
    expect(executions).toHaveLength(5);
    expect(answers.map(({ text }) => text)).toEqual([
      'tenant OPERATOR',
      'tenant OPERATOR',
      'other OPERATOR',
      'tenant ADMIN',
      'tenant OPERATOR',
    ]);
  });

  test('nobody is given what was begun before they asked', async () => {
    let written = 'before';
    const { ask, executions } = startWork(async () => {
      const text = written;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { text };
    });
    const first = ask('inbox');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    written = 'after';
    expect(await ask('inbox')).toEqual({ text: 'after' });
    expect(await first).toEqual({ text: 'before' });
    expect(executions).toHaveLength(2);
  });

  test('what reads who the viewer is, is executed for each of them, and not tried together again', async () => {
    const { ask, executions } = startWork(({ userId }) => ({ text: userId }));
    const askBoth = () => Promise.all(['a', 'b', 'c'].map((userId) => ask('me', viewer({ userId }))));
    const expected = ['a', 'b', 'c'].map((text) => ({ text }));
    expect(await askBoth()).toEqual(expected);
    expect(executions).toHaveLength(3);
    expect(await askBoth()).toEqual(expected);
    expect(executions).toHaveLength(6);
  });

  test('answers with errors, and failures, are the first asker’s alone', async () => {
    let count = 0;
    const failing = startWork(() => ({ text: `${(count += 1)}`, hasFailed: true }));
    const answers = await Promise.all([failing.ask('inbox'), failing.ask('inbox')]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(2);

    const throwing = startWork(() => {
      throw new Error('down');
    });
    const results = await Promise.allSettled([throwing.ask('inbox'), throwing.ask('inbox')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(throwing.executions).toHaveLength(2);
  });
}
