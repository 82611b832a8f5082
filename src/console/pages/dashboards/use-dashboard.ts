// A dashboard with its values. Events cause a new reading, and changes are saved in sequence.

import { useEffect, useRef } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { RequestError } from '../../api/request-error.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import {
  ChangeDashboardDocument,
  ShownDashboardDocument,
  ShownWidgetDocument,
  StoredDashboardDocument,
  type DashboardPlanFragment,
  type UpdateDashboardInput,
} from './operations.js';
import type { WidgetData } from './marks.js';
import type { Reading } from './reading.js';

export interface ShownDashboard {
  stored: DashboardPlanFragment;
  range: { from: string; to: string } | undefined;
  values: ReadonlyMap<string, WidgetData>;
  /** The failures of single widgets that could not be read. */
  failures: ReadonlyMap<string, unknown>;
  readAt: string;
}

const betweenReadingsMs = 10_000;
const settleMs = 1_000;
const withoutRecords = new Set([
  'BULK_SEND_PROGRESS',
  'LEAD_NOTE_CHANGED',
  'LEAD_PRESENCE_CHANGED',
  'LEAD_READ',
  'MESSAGE_UPDATED',
  'TEMPLATE_CHANGED',
]);

async function read(id: string, reading: Reading): Promise<ShownDashboard | null> {
  const readAt = new Date().toISOString();
  try {
    const { stored, shown } = await askAgain(ShownDashboardDocument, { id, ...reading });
    if (stored === null || shown === null) return null;
    const values = new Map(shown.widgets.map((widget) => [widget.id, widget]));
    return { stored, range: shown.range, values, failures: new Map(), readAt };
  } catch (error) {
    if (!isOfOneWidget(error)) throw error;
    return readEach(id, reading, readAt);
  }
}

// A series with too many points fails the whole query. Each widget is then read by itself.
const isOfOneWidget = (error: unknown) =>
  error instanceof RequestError && error.fields.some(({ path }) => path === 'bucket');

async function readEach(id: string, reading: Reading, readAt: string): Promise<ShownDashboard | null> {
  const { dashboard: stored } = await askAgain(StoredDashboardDocument, { id });
  if (stored === null) return null;
  const values = new Map<string, WidgetData>();
  const failures = new Map<string, unknown>();
  let range: ShownDashboard['range'];
  await Promise.all(
    stored.widgets.map(async (plan) => {
      try {
        const { dashboard } = await askAgain(ShownWidgetDocument, { id, widget: plan.id, ...reading });
        range = dashboard?.range ?? range;
        if (dashboard?.widget != null) values.set(plan.id, dashboard.widget);
      } catch (error) {
        failures.set(plan.id, error);
      }
    }),
  );
  return { stored, range, values, failures, readAt };
}

/** @param reading undefined reads nothing, because the range is not complete yet */
export function useDashboard(id: string, reading: Reading | undefined) {
  const key = reading === undefined ? undefined : JSON.stringify([id, reading]);
  const loaded = useLoaded(key, () => read(id, reading ?? {}));
  // The old values stay while another range is read.
  const last = useRef<{ id: string; data: ShownDashboard | null }>(undefined);
  if (loaded.data !== undefined) last.current = { id, data: loaded.data };
  const { save, isSaving, newest } = useSaves(id, loaded);
  usePacedReload(() => !isSaving() && loaded.reload());
  return {
    ...loaded,
    data: withNewest(loaded.data ?? (last.current?.id === id ? last.current.data : undefined), newest),
    isOld: loaded.data === undefined,
    save,
  };
}

/** Keeps the newest stored change, because a reading that began before it may arrive after it. */
function withNewest(data: ShownDashboard | null | undefined, newest: DashboardPlanFragment | undefined) {
  return data == null || newest === undefined || !isOlder(data.stored, newest) ? data : { ...data, stored: newest };
}

const isOlder = (one: DashboardPlanFragment, other: DashboardPlanFragment): boolean =>
  one.id === other.id && Date.parse(one.updatedAt) < Date.parse(other.updatedAt);

/** Reads at most once in ten seconds, and not while the page is hidden. */
function usePacedReload(reload: () => unknown): void {
  const state = useRef<{ timer?: ReturnType<typeof setTimeout> | undefined; lastAt: number; isDue: boolean }>({
    lastAt: 0,
    isDue: false,
  });
  const latest = useRef(reload);
  latest.current = reload;
  const run = () => {
    state.current.timer = undefined;
    state.current.isDue = document.visibilityState !== 'visible';
    if (state.current.isDue) return;
    state.current.lastAt = Date.now();
    latest.current();
  };
  const soon = () => {
    const wait = state.current.lastAt + betweenReadingsMs - Date.now();
    state.current.timer ??= setTimeout(run, Math.max(settleMs, wait));
  };
  useFeed(({ type }) => !withoutRecords.has(type) && soon(), soon);
  useEffect(() => {
    const onShown = () => document.visibilityState === 'visible' && state.current.isDue && soon();
    document.addEventListener('visibilitychange', onShown);
    return () => {
      document.removeEventListener('visibilitychange', onShown);
      clearTimeout(state.current.timer);
      state.current.timer = undefined;
    };
  }, []);
}

export type Change = Omit<UpdateDashboardInput, 'expectedUpdatedAt'>;
/** @param plan builds the change from the dashboard's state at its turn, which includes earlier changes @throws RequestError */
export type Save = (plan: (stored: DashboardPlanFragment) => Change) => Promise<DashboardPlanFragment>;

function useSaves(id: string, { data, change, reload }: ReturnType<typeof useLoaded<ShownDashboard | null>>) {
  const stored = useRef<DashboardPlanFragment>(undefined);
  const state = useRef({ isSaving: false, queue: Promise.resolve<unknown>(undefined) });
  const isNewer = data != null && (stored.current === undefined || !isOlder(data.stored, stored.current));
  if (!state.current.isSaving && isNewer) stored.current = data.stored;
  const run = async (plan: Parameters<Save>[0]) => {
    const before = stored.current;
    if (before === undefined) throw new RequestError('NOT_FOUND', 'There is no such dashboard');
    state.current.isSaving = true;
    try {
      const input = { ...plan(before), expectedUpdatedAt: before.updatedAt };
      const { updateDashboard } = await ask(ChangeDashboardDocument, { id, input });
      stored.current = updateDashboard;
      change((now) => (now === null ? now : { ...now, stored: updateDashboard }));
      return updateDashboard;
    } finally {
      state.current.isSaving = false;
      reload();
    }
  };
  const save: Save = (plan) => {
    const saved = state.current.queue.then(() => run(plan));
    state.current.queue = saved.catch(() => undefined);
    return saved;
  };
  return { save, isSaving: () => state.current.isSaving, newest: stored.current };
}

export const isStale = (error: unknown): boolean =>
  error instanceof RequestError &&
  error.code === 'CONFLICT' &&
  error.fields.some(({ path }) => path.endsWith('expectedUpdatedAt'));
