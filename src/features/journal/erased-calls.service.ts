// Removes the data of erased people from the journal. A worker walks through a tenant's calls once for many people, in small steps, and
// stores its place. intake/erased-body.ts decides which body names which person.

import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.js';
import { bodyWithout, namesInCall, textNamesOneOf } from '../intake/erased-body.js';
import { eraseFromCalls, selectCallsBefore, type SearchedCall } from '../intake/journal-writer.js';
import type { ErasedIdentityService, JournalSearch } from '../leads/identity/erased-identity.service.js';
import type { Country } from '../../platform/phone-numbers/country.js';
import type { TenantService } from '../tenants/tenant.service.js';

export interface ErasedCallOptions {
  database: Database;
  erasedIdentities: ErasedIdentityService;
  tenants: Pick<TenantService, 'findDefaultCountry'>;
  /** The most calls of one step, and the most bytes of the bodies that it reads together. */
  callsPerStep?: number;
  bytesPerStep?: number;
  /** The time after which a run ends and stores its place, in milliseconds. */
  runLimitMs?: number;
}

// The time after which every call from before an erasure has been answered and written, with a margin.
const settledAfterMs = 45_000;
const defaults = { callsPerStep: 200, bytesPerStep: 4 * 1024 * 1024, runLimitMs: 240_000 };
const stepsPerPlace = 25;
const longestPauseMs = 1_000;

export class ErasedCallService {
  private stopping = false;

  constructor(private readonly options: ErasedCallOptions) {}

  /** Ends a run after its current step. The next run goes on with the remaining calls. */
  stop(): void {
    this.stopping = true;
  }

  /**
   * Blanks calls of people who were erased a minute ago or earlier. Safe to repeat, and to run twice at once.
   * @returns the number of calls that lost their body, or a part of it
   */
  async clear(minAgeMs = settledAfterMs): Promise<number> {
    const { database, erasedIdentities, runLimitMs = defaults.runLimitMs } = this.options;
    const endsAt = performance.now() + runLimitMs;
    const searches = await erasedIdentities.listJournalSearches(database, minAgeMs);
    let count = 0;
    for (const [index, search] of searches.entries()) {
      // Each tenant has its share of the run: a journal of millions of calls does not keep what others' people asked to have erased.
      const now = performance.now();
      count += await this.walk(search, now + (endsAt - now) / (searches.length - index));
    }
    return count;
  }

  private async walk(search: JournalSearch, endsAt: number): Promise<number> {
    const { database, erasedIdentities, tenants } = this.options;
    const { callsPerStep = defaults.callsPerStep, bytesPerStep = defaults.bytesPerStep } = this.options;
    const country = await tenants.findDefaultCountry(search.tenantId);
    let { place } = search;
    let count = 0;
    for (let step = 1; !this.stopping && performance.now() < endsAt; step += 1) {
      const startedAt = performance.now();
      const values = [search.tenantId, place, callsPerStep, bytesPerStep];
      const calls = await database.query<SearchedCall>(selectCallsBefore, values);
      const oldest = calls.at(-1);
      if (oldest === undefined) {
        await erasedIdentities.keepPlace(database, search, null);
        return count;
      }
      count += await this.erase(search, calls, country);
      place = oldest.id;
      if (step % stepsPerPlace === 0) await erasedIdentities.keepPlace(database, search, place);
      // The pause is as long as the step, so that others get as much of the database and of this process as the walk.
      await setTimeout(Math.min(performance.now() - startedAt, longestPauseMs));
    }
    await erasedIdentities.keepPlace(database, search, place);
    return count;
  }

  private async erase(
    search: JournalSearch,
    calls: readonly SearchedCall[],
    country: Country | undefined,
  ): Promise<number> {
    const erased: { id: string; body: Buffer }[] = [];
    for (const call of calls) {
      const names = await this.findErased(search, call, country);
      if (names.size > 0) erased.push({ id: call.id, body: bodyWithout(call, textNamesOneOf(names, country)) });
    }
    const values = [search.tenantId, erased.map(({ id }) => id), erased.map(({ body }) => body)];
    if (erased.length > 0) await this.options.database.query(eraseFromCalls, values);
    return erased.length;
  }

  /** Returns the erased names in a call. A call that came after an erasure names a new person. */
  private async findErased(
    search: JournalSearch,
    call: SearchedCall,
    country: Country | undefined,
  ): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const [index, name] of [...namesInCall(call, country)].entries()) {
      // A hostile body names thousands of people, so the process serves other work in between.
      if (index % 500 === 499) await setImmediate();
      const erasedAt = this.options.erasedIdentities.findInSearch(search, name);
      if (erasedAt !== undefined && call.receivedAt <= erasedAt) found.add(name);
    }
    return found;
  }
}
