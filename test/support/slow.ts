// Declares a case that `npm test` leaves out, because all such cases together take too long. With `EVERY_CASE=true`, as in `.ci/run`, it
// runs. So it does in a suite that is named by its path. Each subject keeps shorter cases in `npm test`.

const isEntry = expect.getState().testPath?.endsWith('.test.ts') === true;

interface SlowTest {
  (...given: Parameters<typeof test>): void;
  each: typeof test.each;
}

const leaveOut = () => undefined;
const each = (() => leaveOut) as unknown as typeof test.each;

export const slow: SlowTest =
  isEntry && process.env['EVERY_CASE'] === undefined ? Object.assign(leaveOut, { each }) : test;
