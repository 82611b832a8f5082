// What fast-path.ts hands to the writer of each kind.

import type { Database } from '../../platform/database.js';
import type { FairTurns } from '../../platform/fair-semaphore.js';
import type { Metrics } from '../../platform/metrics.js';
import type { Transactor } from '../../platform/transaction.js';
import type { LeadDirectory } from '../leads/identity/identity-cache.js';
import type { Settled } from './intake-answer.js';
import type { KnownInstances } from './known-instances.js';
import type { ReadWebhookCall } from './webhook-call.js';

export interface DirectIntakeOptions {
  database: Database;
  transactor: Transactor;
  instances: KnownInstances;
  directory: LeadDirectory;
  metrics: Metrics;
  /** Shared by all that write what callers send. */
  turns: FairTurns;
}

/** A call, and the one thing that it says. */
export interface DirectCall<Said> extends Pick<ReadWebhookCall, 'call' | 'dialect'> {
  said: Said;
}

/** What became of each call, in their order; undefined: it was left out. */
export type DirectAnswers = (Settled | undefined)[];
