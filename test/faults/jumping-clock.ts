// Loaded before the service (`node --import`): its clock goes wrong by an hour at each SIGUSR2, forwards first, then back two, and so on.
// PostgreSQL's stays right.

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
