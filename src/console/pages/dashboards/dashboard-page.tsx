// The page of one dashboard: its widgets for a range and a time zone, the records behind each value, and its editor.

import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useCommands } from '../../app/commands.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Page } from '../../parts/page.js';
import { rangeTexts } from '../../parts/range-texts.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { FilterBar } from '../../parts/filter-bar.js';
import styles from './dashboards.module.css';
import { forgetDashboard, keepLastDashboard } from './last-dashboard.js';
import { marksOf, markWith, type Naming } from './marks.js';
import { maxWidgets } from './metric-rules.js';
import { RangeFields, type RangeChoice } from './range-fields.js';
import { isDay, ownZone, readingOf, type DashboardSearch, type Reading } from './reading.js';
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

export function DashboardPage() {
  const texts = useTexts(dashboardTexts);
  const { id } = useParams({ from: '/signed-in/dashboards/$id' });
  const search = useSearch({ from: '/signed-in/dashboards/$id' });
  const reading = readingOf(search, ownZone());
  const { data, error, isOld, isLoading, reload, save } = useDashboard(id, reading);
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
      <Page title={texts.dashboard} bar={<RangeBar id={id} search={search} data={undefined} />}>
        {failed}
        {error === undefined && isLoading && <Loading />}
      </Page>
    );
  return (
    <Shown
      key={id}
      {...{ id, search, data, save, reload }}
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
  reading: Reading;
  save: Save;
  reload: () => void;
  isOld: boolean;
  failed: React.ReactNode;
}

type Open = 'add' | 'settings' | { edit: string };

function Shown({ id, search, data, reading, save, reload, isOld, failed }: ShownProps) {
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
  return (
    <Page
      isGround
      isName
      title={stored.name}
      actions={
        <>
          <Link to="/dashboards" search={{ all: 'true' }} className={styles.toAll}>
            <Icon name="back" />
            {texts.allDashboards}
          </Link>
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
      bar={<RangeBar id={id} search={search} data={data} />}
    >
      {data.range !== undefined && <p className={styles.period}>{formats.period(data.range.from, data.range.to)}</p>}
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

interface WidgetsProps extends Omit<ShownProps, 'failed'> {
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
        {widgets.map((plan, index) => (
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
                  place={index}
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

interface RangeBarProps {
  id: string;
  search: DashboardSearch;
  data: ShownDashboard | undefined;
}

function RangeBar({ id, search, data }: RangeBarProps) {
  const texts = useTexts(dashboardTexts);
  const navigate = useNavigate();
  const { range = '', since = '', until = '', zone = '' } = search;
  const stored = data?.stored;
  const ranges = useTexts(rangeTexts);
  const preset = stored?.range.preset ?? null;
  const choose = (change: Partial<RangeChoice>) => {
    const next: RangeChoice = { range, since, until, zone, ...change };
    if (next.range === 'custom' && next.zone === '') next.zone = stored?.timeZone ?? ownZone();
    if (next.range !== 'custom') Object.assign(next, { since: '', until: '' });
    else if (!isDay(next.since) && change.range !== undefined) Object.assign(next, daysNow());
    const given = Object.entries(next).filter(([, value]) => value !== '');
    void navigate({
      to: '/dashboards/$id',
      params: { id },
      search: Object.fromEntries(given),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <FilterBar>
      <RangeFields
        choice={{ range, since, until, zone }}
        stored={{ range: preset === null ? texts.fixed : ranges[preset], zone: stored?.timeZone ?? '…' }}
        onChange={choose}
      />
    </FilterBar>
  );
}

// The initial range: the last seven days, including today.
function daysNow(): { since: string; until: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { since: day(Date.now() - 6 * 86_400_000), until: day(Date.now()) };
}
