// The content of a log line.

import { AppError } from '../../../src/platform/errors.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { RepeatedWarnings } from '../../../src/platform/observability/repeated-warnings.js';
import { noteCaller, outsideOfRequests, withRequestId } from '../../../src/platform/observability/request-scope.js';

type Line = Record<string, unknown> & { err?: { message: string; stack: string; cause?: { message: string } } };

function linesOf(
  work: (log: ReturnType<typeof createLogger>) => void,
  { level = 'trace', redactNumbers = true } = {},
): Line[] {
  const lines: Line[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
  work(createLogger(level, { redactNumbers, destination }));
  return lines;
}

export function describeLogger(): void {
  test('within a request, whose it is as soon as that is known; not for what is done for no caller', () => {
    const lines = linesOf((log) => {
      withRequestId('r1', () => {
        log.info('early');
        noteCaller('t1', 'key k1');
        log.info('known');
        log.info({ tenantId: 't2' }, 'of another');
        outsideOfRequests(() => log.info('nobody'));
      });
      noteCaller('t3', 'key k3');
      log.info('outside');
    });
    expect(lines.map(({ level: _level, time: _time, ...line }) => line)).toEqual([
      { requestId: 'r1', msg: 'early' },
      { requestId: 'r1', tenantId: 't1', principal: 'key k1', msg: 'known' },
      { requestId: 'r1', tenantId: 't2', principal: 'key k1', msg: 'of another' },
      { msg: 'nobody' },
      { msg: 'outside' },
    ]);
  });

  test('numbers are taken out of sentences, fields and errors, unless they are wanted', () => {
    const number = '5511988887777';
    const write = (log: ReturnType<typeof createLogger>) =>
      log.warn({ err: new Error(`no ${number}`, { cause: new Error(number) }), path: `/${number}` }, `about ${number}`);
    const [hidden] = linesOf(write);
    expect(JSON.stringify(hidden)).not.toContain(number);
    expect(hidden).toMatchObject({ path: '/[number]', msg: 'about [number]', err: { message: 'no [number]' } });
    const [shown] = linesOf(write, { redactNumbers: false });
    expect(shown).toMatchObject({ path: `/${number}`, err: { message: `no ${number}`, cause: { message: number } } });
  });

  test("of Prisma's errors stands what is wrong, and not what was to be written", () => {
    const call =
      'Invalid `prisma.lead.create()` invocation:\n\n{\n  name: "secret words"\n}\n\nUnknown argument `nothing`.';
    const error = Object.assign(new Error(call), { name: 'PrismaClientValidationError' });
    const [line] = linesOf((log) => log.error({ err: error }, 'a request failed'));
    expect(JSON.stringify(line)).not.toContain('secret words');
    expect(line?.err).toMatchObject({ message: 'Unknown argument `nothing`.' });
    const alone = linesOf((log) => {
      log.error({ err: error });
      log.error(error);
    });
    expect(JSON.stringify(alone)).not.toContain('secret words');
    expect(line?.err?.stack).toMatch(/^PrismaClientValidationError: Unknown argument `nothing`\.\n +at /);
  });

  describe('warnings that a dependency is down', () => {
    const away = (reason = 'connect ECONNREFUSED') => Object.assign(new Error(reason), { code: 'ECONNREFUSED' });
    const write = (log: ReturnType<typeof createLogger>) => {
      for (const requestId of ['r1', 'r2', 'r3'])
        withRequestId(requestId, () => log.warn({ err: away() }, 'a request found a dependency down'));
      log.warn({ err: away(), tenantId: 't1' }, 'events could not be read');
      log.warn({ err: away(), tenantId: 't2' }, 'events could not be read');
      log.error({ err: away() }, 'a request failed');
      log.error({ err: away() }, 'a request failed');
      log.warn({ err: new TypeError('ours') }, 'a round failed');
      log.warn({ err: new TypeError('ours') }, 'a round failed');
    };
    const sentences = (lines: Line[]) => lines.map(({ msg }) => msg);

    test('one of each kind stands in the log; errors, and faults of ours, all stand there', () => {
      expect(sentences(linesOf(write, { level: 'info' }))).toEqual([
        'a request found a dependency down',
        'events could not be read',
        'events could not be read',
        'a request failed',
        'a request failed',
        'a round failed',
        'a round failed',
      ]);
    });

    test('with LOG_LEVEL=debug each stands there', () => {
      expect(sentences(linesOf(write, { level: 'debug' }))).toHaveLength(9);
    });

    test('after a minute the next one says how many were left out; another reason is another kind', () => {
      let nowMs = 0;
      const repeated = new RepeatedWarnings(() => nowMs);
      const down = () => repeated.admit('a request found a dependency down', { err: away() });
      expect([down(), down(), down()]).toEqual([0, undefined, undefined]);
      expect(repeated.admit('a request found a dependency down', { err: new AppError('UNAVAILABLE', 'full') })).toBe(0);
      nowMs = 60_000;
      expect([down(), down()]).toEqual([2, undefined]);
    });

    test('any field may stand in them', () => {
      const circular: Record<string, unknown> = { count: 1n };
      circular['itself'] = circular;
      const repeated = new RepeatedWarnings();
      expect(repeated.admit('a round failed', { err: away(), circular, count: 1n })).toBe(0);
      expect(repeated.admit('a round failed', { err: away(), circular, count: 1n })).toBeUndefined();
    });

    test('what they are known by is bounded', () => {
      const repeated = new RepeatedWarnings(() => 0);
      const of = (tenantId: string) => repeated.admit('events could not be read', { err: away(), tenantId });
      expect(of('first')).toBe(0);
      for (let number = 0; number < 1_000; number += 1) of(String(number));
      expect(of('first')).toBe(0);
    });
  });
}
