// The content of a log line.

import { createLogger } from '../../../src/platform/observability/logger.js';
import { noteCaller, outsideOfRequests, withRequestId } from '../../../src/platform/observability/request-scope.js';

type Line = Record<string, unknown> & { err?: { message: string; stack: string; cause?: { message: string } } };

function linesOf(work: (log: ReturnType<typeof createLogger>) => void, redactNumbers = true): Line[] {
  const lines: Line[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
  work(createLogger('trace', { redactNumbers, destination }));
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
    const [shown] = linesOf(write, false);
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
}
