// A clock that all processes of one machine share, finer than a millisecond.

/** Milliseconds since an unknown moment that is the same for every process of this machine. */
export function machineTimeMs(): number {
  return Number(process.hrtime.bigint()) / 1_000_000;
}
