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

export function useWidgetOrder(stored: DashboardPlanFragment, save: Save) {
  const texts = useTexts(dashboardTexts);
  const grid = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<readonly WidgetPlan[]>();
  const [announced, setAnnounced] = useState('');
  const focusNext = useRef<string>(undefined);
  const waiting = useRef(0);
  const widgets = wanted ?? stored.widgets;

  useLayoutEffect(() => {
    if (focusNext.current === undefined) return;
    grid.current?.querySelector<HTMLElement>(`[data-tool="${focusNext.current}"]`)?.focus();
    focusNext.current = undefined;
  });

  const keep = async (next: readonly WidgetPlan[]) => {
    setWanted(next);
    waiting.current += 1;
    try {
      await save(() => ({ widgets: next.map(inputOfPlan) }));
      return true;
    } catch (error) {
      if (isStale(error)) notify(textsNow(dashboardTexts).stale);
      else notifyFailure(error);
      return false;
    } finally {
      waiting.current -= 1;
      if (waiting.current === 0) setWanted(undefined);
    }
  };

  const move = (id: string, by: -1 | 1) => {
    const index = widgets.findIndex((widget) => widget.id === id);
    const next = moved(widgets, index, by);
    if (next === widgets) return;
    focusNext.current = `${id} ${by}`;
    setAnnounced(texts.moved(widgets[index]?.title ?? '', index + by + 1, widgets.length));
    void keep(next);
  };

  const remove = async (id: string) => {
    const index = widgets.findIndex((widget) => widget.id === id);
    const gone = widgets[index];
    if (gone === undefined) return;
    const neighbour = widgets[index + 1] ?? widgets[index - 1];
    if (neighbour !== undefined) focusNext.current = `${neighbour.id} ${index + 1 < widgets.length ? 1 : -1}`;
    if (!(await keep(widgets.toSpliced(index, 1)))) return;
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
