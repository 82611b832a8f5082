// Loaded before the service (`node --import`): each SIGUSR2 moves its clock by an hour forwards, then by two back, and then right again.
// PostgreSQL's clock stays right.

const hourMs = 3_600_000;
const jumpsMs = [hourMs, -2 * hourMs, hourMs];
const RealDate = Date;
let offsetMs = 0;
let count = 0;

class JumpingDate extends RealDate {
  constructor(...parts: unknown[]) {
    super(...((parts.length === 0 ? [JumpingDate.now()] : parts) as [number]));
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

globalThis.Date = JumpingDate as DateConstructor;
process.on('SIGUSR2', () => {
  offsetMs += jumpsMs[count % jumpsMs.length] ?? 0;
  count += 1;
  process.stdout.write(`${JSON.stringify({ msg: `jumped ${count}` })}\n`);
});
