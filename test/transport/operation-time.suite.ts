// Work behind an operation whose time has passed: no resolver begins any more, and no stream stays open.

import {
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  execute,
  parse,
  type ExecutionResult,
  type GraphQLError,
} from 'graphql';
import { createLogger } from '../../src/platform/observability/logger.js';
import { OperationTime, stopResolversInTime } from '../../src/transport/graphql/operation-time.js';

const log = createLogger('silent');
const time = new OperationTime(20, log);
const principal = undefined;

/** Returns a query whose `slow` waits for `release`, and whose `slow.next` records its begin, and a subscription that does the same. */
function scripted() {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const begun: string[] = [];
  let returned = 0;
  const slow = new GraphQLObjectType({
    name: 'Slow',
    fields: { next: { type: GraphQLString, resolve: () => void begun.push('next') } },
  });
  const source = {
    next: () => new Promise<never>(() => undefined),
    return: () => Promise.resolve({ value: undefined, done: true as const }).finally(() => (returned += 1)),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: { slow: { type: slow, resolve: () => released.then(() => ({})) } },
    }),
    subscription: new GraphQLObjectType({
      name: 'Subscription',
      fields: { slow: { type: slow, subscribe: () => released.then(() => source) } },
    }),
  });
  return { schema: stopResolversInTime(schema), begun, release, returned: () => returned };
}

export function describeOperationTime(): void {
  test('resolvers that have not begun when the time passes do not begin', async () => {
    const { schema, begun, release } = scripted();
    const document = parse('{ slow { next } }');
    let rest: Promise<ExecutionResult> | undefined;
    const answered = await time.run<ExecutionResult | GraphQLError>(
      principal,
      (contextValue) => (rest = Promise.resolve(execute({ schema, document, contextValue }))),
      (error) => error,
    );
    expect(answered).toMatchObject({ extensions: { code: 'UNAVAILABLE', limit: { name: 'timeMs', allowed: 20 } } });
    release();
    expect((await rest)?.errors).toMatchObject([{ path: ['slow', 'next'] }]);
    expect(begun).toEqual([]);
  });

  test('in time they all begin', async () => {
    const { schema, begun, release } = scripted();
    release();
    const args = { schema, document: parse('{ slow { next } }'), contextValue: { principal } };
    expect(await new OperationTime(10_000, log).execute(args)).toEqual({ data: { slow: { next: null } } });
    expect(begun).toEqual(['next']);
  });

  test('a subscription that opens too late is told, and its source is ended', async () => {
    const { schema, release, returned } = scripted();
    const args = { schema, document: parse('subscription { slow { next } }'), contextValue: { principal } };
    expect(await time.open(args)).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
    release();
    while (returned() === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(returned()).toBe(1);
  });

  test('what fails fails as it did', async () => {
    const failing = time.run(
      principal,
      () => Promise.reject(new Error('broken')),
      () => undefined,
    );
    await expect(failing).rejects.toThrow('broken');
  });
}
