// The longest time that a caller waits for a database that stands still. Gateways and forms give a call up after 30 s.

import { AppError } from '../errors.js';
import { Deadline } from '../jobs/deadline.js';

const answerLimitMs = 15_000;
const retryAfterSeconds = 1;

/**
 * Gives the result of `work`.
 * @throws AppError UNAVAILABLE after 15 s: `work` goes on and may still end well, so its call has to be safe to repeat
 */
export async function inAnswerTime<Result>(work: Promise<Result>): Promise<Result> {
  const deadline = new Deadline(answerLimitMs);
  try {
    return await deadline.race(work, () => {
      throw new AppError('UNAVAILABLE', 'This takes too long right now: send the call again', { retryAfterSeconds });
    });
  } finally {
    deadline.end();
  }
}
