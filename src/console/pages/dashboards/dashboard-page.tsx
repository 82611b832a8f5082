// The page of one dashboard: its widgets for a range and a time zone, the records behind each value, and its editor.

import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useCommands } from '../../app/commands.js';
import { useIsPhone } from '../../app/use-media.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Page } from '../../parts/page.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { DashboardMenu } from './dashboard-menu.js';
import styles from './dashboards.module.css';
import { forgetDashboard, keepLastDashboard } from './last-dashboard.js';
import { marksOf, markWith, type Naming, type WidgetPlan } from './marks.js';
import { maxWidgets } from './metric-rules.js';
import { useRangeControl, type RangeControl } from './range-control.js';
import { ownZone, readingOf, type DashboardSearch, type Reading } from './reading.js';
import { RowsDialog } from './rows-dialog.js';
import { SettingsDialog } from './settings-dialog.js';
import { dashboardTexts } from './texts.js';
import { useDashboard, type Save, type ShownDashboard } from './use-dashboard.js';
import { useFocusReturn } from './use-marks.js';
import { useNaming } from './use-naming.js';
import type { ValueFormats } from './value-formats.js';
import { WidgetDialog } from './widget-dialog.js';
import { WidgetCard } from './widget-card.js';
import { WidgetTools, useWidgetOrder } from './widget-tools.js';

/** Figures that follow each other stand in rows of their own: they are lower than charts. */
function rowsOf(widgets: readonly WidgetPlan[]): WidgetPlan[][] {
  const rows: WidgetPlan[][] = [];
  for (const plan of widgets) {
    const row = rows.at(-1);
    if (row !== undefined && (row[0]?.type === 'FIGURE') === (plan.type === 'FIGURE')) row.push(plan);
    else rows.push([plan]);
  }
  return rows;
}

export function DashboardPage() {
  const texts = useTexts(dashboardTexts);
  const { id } = useParams({ from: '/signed-in/dashboards/$id' });
  const search = useSearch({ from: '/signed-in/dashboards/$id' });
  const reading = readingOf(search, ownZone());
  const { data, error, isOld, isLoading, reload, save } = useDashboard(id, reading);
  const range = useRangeControl(id, search, data?.stored);
  const isHere = data === undefined ? undefined : data !== null;
  useEffect(() => {
    if (isHere === true) keepLastDashboard(id);
    if (isHere === false) forgetDashboard(id);
  }, [id, isHere]);
  if (data === null)
    return (
      <EmptyState title={texts.notFound} hint={texts.notFoundHint}>
        <Link to="/dashboards" search={{ all: 'true' }}>
          {texts.toDashboards}
        </Link>
      </EmptyState>
    );
  const failed = error !== undefined && isOld && <LoadFailed error={error} onRetry={reload} />;
  if (data === undefined)
    return (
      <Page title={texts.dashboard} bar={range.fields}>
        {failed}
        {error === undefined && isLoading && <Loading />}
      </Page>
    );
  return (
    <Shown
      key={id}
      {...{ id, search, data, range, save, reload }}
      reading={reading ?? {}}
      isOld={isOld && reading !== undefined && error === undefined}
      failed={failed}
    />
  );
}

interface ShownProps {
  id: string;
  search: DashboardSearch;
  data: ShownDashboard;
  range: RangeControl;
  reading: Reading;
  save: Save;
  reload: () => void;
  isOld: boolean;
  failed: React.ReactNode;
}

type Open = 'add' | 'settings' | { edit: string };

function Shown({ id, search, data, range, reading, save, reload, isOld, failed }: ShownProps) {
  const texts = useTexts(dashboardTexts);
  const [isEditing, setIsEditing] = useState(false);
  const [open, setOpen] = useState<Open>();
  const { stored } = data;
  const { formats, naming } = useNaming(reading.timeZone ?? stored.timeZone);
  const isFull = stored.widgets.length >= maxWidgets;
  const toggle = () => setIsEditing(!isEditing);
  useCommands([
    { id: 'edit-dashboard', title: isEditing ? texts.doneEditing : texts.edit, group: texts.dashboard, run: toggle },
    { id: 'add-widget', title: texts.addWidget, group: texts.dashboard, run: () => !isFull && setOpen('add') },
    { id: 'dashboard-settings', title: texts.settings, group: texts.dashboard, run: () => setOpen('settings') },
  ]);
  const add = (
    <Button icon="plus" disabled={isFull} title={isFull ? texts.full(maxWidgets) : ''} onClick={() => setOpen('add')}>
      {texts.addWidget}
    </Button>
  );
  const close = () => setOpen(undefined);
  const isPhone = useIsPhone();
  return (
    <Page
      isGround
      isName
      title={stored.name}
      heading={<DashboardMenu id={id} name={stored.name} />}
      actions={
        <>
          {!isPhone && !isEditing && <Period data={data} formats={formats} />}
          {!isPhone && !isEditing && range.segments}
          {isEditing && add}
          {isEditing && (
            <Button icon="settings" onClick={() => setOpen('settings')}>
              {texts.settings}
            </Button>
          )}
          <Button icon={isEditing ? 'check' : 'edit'} aria-pressed={isEditing} onClick={toggle}>
            {isEditing ? texts.doneEditing : texts.edit}
          </Button>
        </>
      }
      bar={
        isPhone ? (
          <>
            {range.segments}
            {range.fields}
          </>
        ) : (
          range.fields
        )
      }
    >
      {isPhone && <Period data={data} formats={formats} />}
      {failed}
      {failed === false && (
        <Widgets
          {...{ id, search, data, reading, save, reload, isOld, isEditing, formats, naming }}
          onEdit={(widget) => setOpen({ edit: widget })}
        />
      )}
      {stored.widgets.length === 0 && (
        <EmptyState title={texts.noWidgets} hint={texts.noWidgetsHint}>
          {add}
        </EmptyState>
      )}
      {open === 'add' && <WidgetDialog save={save} onClose={close} />}
      {open === 'settings' && <SettingsDialog stored={stored} save={save} onClose={close} />}
      {typeof open === 'object' && (
        <WidgetDialog plan={stored.widgets.find((widget) => widget.id === open.edit)} save={save} onClose={close} />
      )}
    </Page>
  );
}

const leastShareOfWhole = 0.8;

/** Names the days that the values cover, and those that figures are compared with. */
function Period({ data, formats }: { data: ShownDashboard; formats: ValueFormats }) {
  const texts = useTexts(dashboardTexts);
  const { range } = data;
  if (range === undefined) return null;
  const compared = [...data.values.values()].flatMap((value) => ('figure' in value && value.figure.previous) || []);
  const lengthOf = ({ from, to }: { from: string; to: string }) => Date.parse(to) - Date.parse(from);
  // While the range goes on, the time before ends earlier. The last day of many makes no difference that is worth the words.
  const isPart = compared.some((previous) => lengthOf(previous) < lengthOf(range) * leastShareOfWhole);
  const days = Math.round(lengthOf(range) / 86_400_000);
  const period = formats.period(range.from, range.to);
  return <p className={styles.period}>{compared.length > 0 ? `${period}, ${texts.against(days, isPart)}` : period}</p>;
}

interface WidgetsProps extends Omit<ShownProps, 'failed' | 'range'> {
  isEditing: boolean;
  formats: ValueFormats;
  naming: Naming;
  onEdit: (widget: string) => void;
}

function Widgets({ id, search, data, reading, save, reload, isOld, isEditing, formats, naming, onEdit }: WidgetsProps) {
  const navigate = useNavigate();
  const { values, failures, readAt } = data;
  const { widgets, move, remove, announced, grid } = useWidgetOrder(data.stored, save);
  const openMark = (widget?: string, mark?: string) => {
    const { widget: _widget, mark: _mark, ...others } = search;
    const next = widget === undefined || mark === undefined ? others : { ...others, widget, mark };
    void navigate({
      to: '/dashboards/$id',
      params: { id },
      search: next,
      replace: widget === undefined,
      resetScroll: false,
    });
  };
  const opened = search.mark === undefined ? undefined : widgets.find((plan) => plan.id === search.widget);
  useFocusReturn(grid, opened?.id, search.mark);
  const openedData = opened === undefined ? undefined : values.get(opened.id);
  return (
    <>
      <div ref={grid} className={styles.grid} aria-busy={isOld} data-old={isOld || undefined}>
        {rowsOf(widgets).map((row) => (
          <div key={row[0]?.id} className={styles.row}>
            {row.map((plan) => (
              <WidgetCard
                key={plan.id}
                {...{ plan, readAt, formats, naming }}
                data={values.get(plan.id)}
                failure={failures.get(plan.id)}
                onRetry={reload}
                onOpen={(mark) => openMark(plan.id, mark)}
                tools={
                  isEditing && (
                    <WidgetTools
                      plan={plan}
                      place={widgets.indexOf(plan)}
                      count={widgets.length}
                      onMove={(by) => move(plan.id, by)}
                      onEdit={() => onEdit(plan.id)}
                      onRemove={() => remove(plan.id)}
                    />
                  )
                }
              />
            ))}
          </div>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {announced}
      </p>
      {opened !== undefined && openedData !== undefined && (
        <RowsDialog
          dashboardId={id}
          plan={opened}
          mark={markWith(marksOf(opened, openedData, naming), search.mark)}
          reading={reading}
          formats={formats}
          onClose={() => openMark()}
        />
      )}
    </>
  );
}
