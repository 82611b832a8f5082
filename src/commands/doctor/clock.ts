// The finding on another machine's clock, and the deviation that is accepted.

import { failed, ok, warning, type Finding } from './check.js';

const warnFromMs = 2_500;
/** From this deviation on, tokens of the provider are refused. */
const failFromMs = 10_000;

/** @param aheadMs how far the other clock is ahead of this machine's; below 0 it is behind */
export function clockFinding(whose: string, aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 100) / 10;
  if (Math.abs(aheadMs) < warnFromMs) return ok(`${whose} and this machine agree on the time.`);
  const found = `${whose} is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine.`;
  const advice = 'Synchronise the clocks by NTP.';
  return Math.abs(aheadMs) < failFromMs ? warning(found, advice) : failed(found, advice);
}
