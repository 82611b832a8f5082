// Blanks what the journal has of erased people: a worker walks through a tenant's calls once for many people, in small steps, and keeps its
// place. Which body names whom is decided by intake/erased-body.ts.

import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Database } from '../../platform/database.js';
import { bodyWithout, namesInCall, textNamesOneOf } from '../intake/erased-body.js';
import { eraseFromCalls, selectCallsBefore } from '../intake/journal-writer.js';
import type { SearchedCall } from '../intake/journal-writer.js';
import type { ErasedIdentityService, JournalSearch } from '../leads/identity/erased-identity.service.js';
import type { Country } from '../tenants/country.js';
import type { TenantService } from '../tenants/tenant.service.js';

export interface ErasedCallOptions {
  database: Database;
  erasedIdentities: ErasedIdentityService;
  tenants: Pick<TenantService, 'findDefaultCountry'>;
  /** Of one step, and of the bodies that it reads together. */
  callsPerStep?: number;
  bytesPerStep?: number;
  /** After this a run ends at its place, in milliseconds. */
  runLimitMs?: number;
}

// A call from before an erasure is answered, and written, well within this.
const settledAfterMs = 45_000;
const defaults = { callsPerStep: 200, bytesPerStep: 4 * 1024 * 1024, runLimitMs: 240_000 };
const stepsPerPlace = 25;
const longestPauseMs = 1_000;

export class ErasedCallService {
  private stopping = false;

  constructor(private readonly options: ErasedCallOptions) {}

  /** Ends a run after its step. What it has not looked at waits for the next run. */
  stop(): void {
    this.stopping = true;
  }

  /**
   * Blanks calls of people who were erased a minute ago or earlier. Safe to repeat, and to run twice at once.
   * @returns how many calls lost their body, or a part of it
   */
  async clear(minAgeMs = settledAfterMs): Promise<number> {
    const { database, erasedIdentities, runLimitMs = defaults.runLimitMs } = this.options;
    const endsAt = performance.now() + runLimitMs;
    let count = 0;
    for (const search of await erasedIdentities.listJournalSearches(database, minAgeMs))
      count += await this.walk(search, endsAt);
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
      // Others get as much of the database and of this process as the walk.
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

  /** A call that came after the erasure is of a new person. */
  private async findErased(
    search: JournalSearch,
    call: SearchedCall,
    country: Country | undefined,
  ): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const [index, name] of [...namesInCall(call, country)].entries()) {
      // A hostile body names thousands: between them, the process serves others.
      if (index % 500 === 499) await setImmediate();
      const erasedAt = this.options.erasedIdentities.findInSearch(search, name);
      if (erasedAt !== undefined && call.receivedAt <= erasedAt) found.add(name);
    }
    return found;
  }
}
