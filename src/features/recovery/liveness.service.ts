// Judges by silence whether instances that say CONNECTED still hear: each against its own habit (instance-habit.ts). One statement for
// all instances of a tenant, whatever their number; their habits once a day.

import type { Database } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import { serveTenants } from '../../platform/jobs/tenant-sweep.js';
import type { Transactor } from '../../platform/database/transaction.js';
import type { InstanceHealthService } from '../chat-instances/instance-health.service.js';
import { expectedLeads, habitOf, weeksLookedAt, type HourCount } from './instance-habit.js';
import {
  countLeadsByHour,
  insertMissingRecoveries,
  noteHabit,
  noteHeard,
  selectHeardOfTenant,
  selectTenantsToWatch,
  selectWatchedInstances,
  type WatchedInstance,
} from './recovery.sql.js';

export interface LivenessOptions {
  database: Database;
  transactor: Transactor;
  health: InstanceHealthService;
  log: Logger;
  isOn: boolean;
}

const hourMs = 3_600_000;
const weekMs = 168 * hourMs;
const habitAgeMs = 24 * hourMs;
/** A message may commit a moment after later ones. */
const commitMarginMs = 120_000;
/** An instance is silent once so many leads would have written: by chance none of them does in 1 of 8,000 cases. */
const leadsMissed = 9;
const shortestSilenceMs = 30 * 60_000;
/** The look at an instance that was silent is noted so often only: thousands of idle tenants would commit at each round. */
const idleLookAgeMs = hourMs;

export class LivenessService {
  private stopping = false;

  constructor(private readonly options: LivenessOptions) {}

  /**
   * Judges all instances that are connected. A failure of a tenant is logged, and the next run retries it. Safe to repeat, and to run twice
   * at once.
   */
  async watch(): Promise<void> {
    const { database, log, isOn } = this.options;
    if (!isOn || this.stopping) return;
    await database.query(insertMissingRecoveries);
    await serveTenants({
      what: 'liveness of chat instances',
      listTenants: () => database.query<{ tenantId: string }>(selectTenantsToWatch),
      work: (tenantId) => (this.stopping ? Promise.resolve() : this.watchTenant(tenantId)),
      log,
    });
  }

  stop(): void {
    this.stopping = true;
  }

  private async watchTenant(tenantId: string): Promise<void> {
    const { database } = this.options;
    const instances = await database.query<WatchedInstance>(selectWatchedInstances, [tenantId]);
    const [first] = instances;
    if (first === undefined) return;
    const heard = await this.readHeard(tenantId, instances, first.now);
    const current = instances.map((instance) => ({
      ...instance,
      heardAt: later(instance.heardAt, heard.get(instance.instanceId) ?? null),
    }));
    if (heardMore(instances, heard) || instances.some(({ lookedAt, now }) => isOlder(lookedAt, now, idleLookAgeMs))) {
      const ids = current.map(({ instanceId }) => instanceId);
      const times = current.map(({ heardAt }) => heardAt);
      await database.change(tenantId, noteHeard, [tenantId, ids, times, first.now]);
    }
    const habits = await this.renewHabits(tenantId, current, first.now);
    for (const instance of current)
      await this.judge(tenantId, instance, habits.get(instance.instanceId) ?? instance.habit ?? []);
  }

  /** Reads when each instance last heard, as far as that is not known from the last look. */
  private async readHeard(
    tenantId: string,
    instances: readonly WatchedInstance[],
    now: Date,
  ): Promise<Map<string, Date>> {
    const lookedAt = instances.map(
      (instance) => instance.lookedAt?.getTime() ?? now.getTime() - weeksLookedAt * weekMs,
    );
    const since = new Date(Math.min(...lookedAt) - commitMarginMs);
    const rows = await this.options.database.query<{ instanceId: string; heardAt: Date }>(selectHeardOfTenant, [
      tenantId,
      since,
    ]);
    return new Map(rows.map(({ instanceId, heardAt }) => [instanceId, heardAt]));
  }

  /** Computes the habits that are a day old. @returns them by instance */
  private async renewHabits(
    tenantId: string,
    instances: readonly WatchedInstance[],
    now: Date,
  ): Promise<Map<string, number[]>> {
    const old = instances.filter((instance) => isOlder(instance.habitAt, instance.now, habitAgeMs));
    if (old.length === 0) return new Map();
    const { database } = this.options;
    // A silence of up to a week does not change what a habit was before it.
    const since = new Date(now.getTime() - (weeksLookedAt + 1) * weekMs);
    const counts = await database.query<HourCount & { instanceId: string }>(countLeadsByHour, [tenantId, since]);
    const byInstance = Map.groupBy(counts, ({ instanceId }) => instanceId);
    const habits = new Map<string, number[]>();
    for (const { instanceId, heardAt } of old) {
      const habit = heardAt === null ? [] : habitOf(byInstance.get(instanceId) ?? [], heardAt);
      habits.set(instanceId, habit);
      await database.change(tenantId, noteHabit, [tenantId, instanceId, habit, now]);
    }
    return habits;
  }

  private async judge(tenantId: string, instance: WatchedInstance, habit: readonly number[]): Promise<void> {
    const { transactor, health } = this.options;
    const { instanceId, healthCode, degradedAt, heardAt } = instance;
    const hearsAgain = healthCode === 'SILENT' && heardAt !== null && degradedAt !== null && heardAt > degradedAt;
    if (hearsAgain) {
      await transactor.run(tenantId, (tx) => health.restore(tx, instanceId, ['SILENT']));
      return;
    }
    const reason = silenceOf(instance, habit);
    if (reason === undefined) return;
    await transactor.run(tenantId, (tx) => health.degrade(tx, { instanceId, code: 'SILENT', reason }));
  }
}

/** The reason why the instance is too silent; undefined where it is not. */
function silenceOf({ heardAt, connectedAt, now }: WatchedInstance, habit: readonly number[]): string | undefined {
  if (heardAt === null || habit.length === 0) return undefined;
  const since = later(heardAt, connectedAt) ?? heardAt;
  if (now.getTime() - since.getTime() < shortestSilenceMs) return undefined;
  const expected = expectedLeads(habit, since, now);
  if (expected < leadsMissed) return undefined;
  const time = since.toISOString().slice(0, 16).concat('Z');
  const what = `No lead has written since ${time}; in the quietest of the last weeks ${Math.floor(expected)} did in these hours`;
  return `${what}. Look whether the phone is online, write to it from another phone, and connect the instance again if nothing arrives.`;
}

/** Returns whether an instance heard something after what is known of it. */
function heardMore(instances: readonly WatchedInstance[], heard: ReadonlyMap<string, Date>): boolean {
  return instances.some(({ instanceId, heardAt }) => {
    const found = heard.get(instanceId);
    return found !== undefined && (heardAt === null || found > heardAt);
  });
}

function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

function isOlder(time: Date | null, now: Date, ageMs: number): boolean {
  return time === null || now.getTime() - time.getTime() > ageMs;
}
