// Moves and removes widgets. Each change is shown at once and then saved, and the focus follows the moved widget.

import { useLayoutEffect, useRef, useState } from 'react';
import { textsNow, useTexts } from '../../i18n/language.js';
import { IconButton } from '../../parts/button.js';
import { notify, notifyFailure } from '../../parts/notices.js';
import styles from './dashboards.module.css';
import type { WidgetPlan } from './marks.js';
import type { DashboardPlanFragment } from './operations.js';
import { dashboardTexts } from './texts.js';
import { isStale, type Save } from './use-dashboard.js';
import { inputOfPlan, moved } from './widget-input.js';

interface ToolsProps {
  plan: WidgetPlan;
  place: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  onEdit: () => void;
  onRemove: () => void;
}

export function WidgetTools({ plan, place, count, onMove, onEdit, onRemove }: ToolsProps) {
  const texts = useTexts(dashboardTexts);
  const { id, title } = plan;
  // `disabled` would lose the focus at the first and last place, so the button uses `aria-disabled`.
  const move = (by: -1 | 1, isPossible: boolean) => ({
    'data-tool': `${id} ${by}`,
    'aria-disabled': !isPossible || undefined,
    onClick: () => isPossible && onMove(by),
  });
  return (
    <div className={styles.tools}>
      <IconButton icon="back" label={texts.moveEarlier(title)} {...move(-1, place > 0)} />
      <IconButton icon="next" label={texts.moveLater(title)} {...move(1, place < count - 1)} />
      <IconButton icon="edit" label={texts.editWidget(title)} onClick={onEdit} />
      <IconButton icon="trash" label={texts.removeWidget(title)} onClick={onRemove} />
    </div>
  );
}

/** Works on the list of its turn, which may hold widgets that were added or changed after the click. */
type Reorder = (widgets: readonly WidgetPlan[]) => readonly WidgetPlan[];

const placeOf = (widgets: readonly WidgetPlan[], id: string): number => widgets.findIndex((widget) => widget.id === id);

export function useWidgetOrder(stored: DashboardPlanFragment, save: Save) {
  const texts = useTexts(dashboardTexts);
  const grid = useRef<HTMLDivElement>(null);
  const [pending, setPending] = useState<readonly Reorder[]>([]);
  const [announced, setAnnounced] = useState('');
  const focusNext = useRef<string>(undefined);
  const widgets = pending.reduce((list, reorder) => reorder(list), stored.widgets as readonly WidgetPlan[]);

  useLayoutEffect(() => {
    if (focusNext.current === undefined) return;
    grid.current?.querySelector<HTMLElement>(`[data-tool="${focusNext.current}"]`)?.focus();
    focusNext.current = undefined;
  });

  const keep = async (reorder: Reorder) => {
    setPending((now) => [...now, reorder]);
    try {
      await save((now) => ({ widgets: reorder(now.widgets).map(inputOfPlan) }));
      return true;
    } catch (error) {
      if (isStale(error)) notify(textsNow(dashboardTexts).stale);
      else notifyFailure(error);
      return false;
    } finally {
      setPending((now) => now.filter((one) => one !== reorder));
    }
  };

  const move = (id: string, by: -1 | 1) => {
    const index = placeOf(widgets, id);
    if (moved(widgets, index, by) === widgets) return;
    focusNext.current = `${id} ${by}`;
    setAnnounced(texts.moved(widgets[index]?.title ?? '', index + by + 1, widgets.length));
    void keep((list) => moved(list, placeOf(list, id), by));
  };

  const remove = async (id: string) => {
    const index = placeOf(widgets, id);
    const gone = widgets[index];
    if (gone === undefined) return;
    const neighbour = widgets[index + 1] ?? widgets[index - 1];
    if (neighbour !== undefined) focusNext.current = `${neighbour.id} ${index + 1 < widgets.length ? 1 : -1}`;
    if (!(await keep((list) => list.filter((widget) => widget.id !== id)))) return;
    // The widget returns to the current list and gets a new id.
    const undo = async () => {
      try {
        await save((now) => ({ widgets: now.widgets.map(inputOfPlan).toSpliced(index, 0, inputOfPlan(gone)) }));
      } catch (error) {
        notifyFailure(error);
      }
    };
    notify(texts.removed(gone.title), { undo });
  };
  return { widgets, move, remove: (id: string) => void remove(id), announced, grid };
}
