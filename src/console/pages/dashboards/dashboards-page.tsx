// The dashboards of the company, which users can open, create and delete. The page opens the last one, unless the list is asked for.

import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { usePages } from '../../api/use-pages.js';
import { useCommands } from '../../app/commands.js';
import { useIsHere } from '../../app/use-is-here.js';
import { useIsPhone } from '../../app/use-media.js';
import { useFormats } from '../../i18n/format.js';
import { localeOf, useLanguage, useTexts } from '../../i18n/language.js';
import { Button, IconButton } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Dialog } from '../../parts/dialog.js';
import { EmptyState } from '../../parts/empty-state.js';
import { TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { notify } from '../../parts/notices.js';
import { Page } from '../../parts/page.js';
import { rangeTexts } from '../../parts/range-texts.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { Table } from '../../parts/table.js';
import styles from './dashboards.module.css';
import { forgetDashboard, lastDashboard } from './last-dashboard.js';
import {
  AddDashboardDocument,
  DashboardListDocument,
  RemoveDashboardDocument,
  type DashboardListQuery,
} from './operations.js';
import { ownZone } from './reading.js';
import { dashboardTexts } from './texts.js';
import { valueFormatsOf } from './value-formats.js';

type Line = DashboardListQuery['dashboards']['edges'][number]['node'];

export function DashboardsPage() {
  const { all } = useSearch({ from: '/signed-in/dashboards' });
  const last = all === undefined ? lastDashboard() : undefined;
  return last === undefined ? <DashboardTable /> : <Navigate to="/dashboards/$id" params={{ id: last }} replace />;
}

function DashboardTable() {
  const texts = useTexts(dashboardTexts);
  const formats = useFormats();
  const [isCreating, setIsCreating] = useState(false);
  const [deleting, setDeleting] = useState<Line>();
  const pages = usePages<Line>('dashboards', async (after) => {
    const variables = { first: 50, ...(after !== undefined && { after }) };
    return (await askAgain(DashboardListDocument, variables)).dashboards;
  });
  const create = () => setIsCreating(true);
  useCommands([{ id: 'create-dashboard', title: texts.create, group: texts.title, run: create }]);
  const isDone = !pages.isLoading && pages.error === undefined;
  const isPhone = useIsPhone();
  const names = [texts.name, texts.range, ...(isPhone ? [] : [texts.zone, texts.widgets, texts.changed])];
  return (
    <Page
      title={texts.title}
      actions={
        <Button kind="primary" icon="plus" onClick={create}>
          {texts.create}
        </Button>
      }
    >
      {pages.nodes.length > 0 && (
        <Table
          label={texts.title}
          columns={[...names.map((name) => ({ name })), { name: texts.actions, isNameHidden: true }]}
        >
          {pages.nodes.map((dashboard) => (
            <tr key={dashboard.id}>
              <td className={styles.rowName}>
                <Link to="/dashboards/$id" params={{ id: dashboard.id }} dir="auto">
                  {dashboard.name}
                </Link>
              </td>
              <td>
                <Range dashboard={dashboard} />
              </td>
              {!isPhone && (
                <>
                  <td>{dashboard.timeZone.replaceAll('_', ' ')}</td>
                  <td>{formats.number(dashboard.widgets.length)}</td>
                  <td>
                    <time dateTime={dashboard.updatedAt} title={formats.full(dashboard.updatedAt)}>
                      {formats.short(dashboard.updatedAt)}
                    </time>
                  </td>
                </>
              )}
              <td className={styles.number}>
                <IconButton
                  icon="trash"
                  label={texts.deleteNamed(dashboard.name)}
                  onClick={() => setDeleting(dashboard)}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {pages.error !== undefined && <LoadFailed error={pages.error} onRetry={pages.reload} />}
      {pages.isLoading && pages.nodes.length === 0 && <Loading />}
      {isDone && pages.nodes.length === 0 && (
        <EmptyState title={texts.empty} hint={texts.emptyHint}>
          <Button icon="plus" onClick={create}>
            {texts.create}
          </Button>
        </EmptyState>
      )}
      {pages.hasMore && (
        <Button isBusy={pages.isLoading} onClick={pages.loadMore}>
          {texts.more}
        </Button>
      )}
      {isCreating && <CreateDialog onClose={() => setIsCreating(false)} />}
      {deleting !== undefined && (
        <ConfirmDialog
          title={texts.deleteTitle}
          text={texts.deleteHint(deleting.name)}
          confirmLabel={texts.delete}
          onConfirm={async () => {
            await ask(RemoveDashboardDocument, { id: deleting.id });
            forgetDashboard(deleting.id);
            notify(texts.deleted);
            pages.reload();
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Page>
  );
}

function Range({ dashboard: { range, timeZone } }: { dashboard: Line }) {
  const texts = useTexts(rangeTexts);
  const language = useLanguage();
  if (range.preset !== null) return texts[range.preset];
  return valueFormatsOf(localeOf[language], timeZone).period(range.from, range.to);
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts(dashboardTexts);
  const navigate = useNavigate();
  const isHere = useIsHere();
  const { isBusy, error, start, problemOf } = useAction(
    async (form: FormData) => {
      const name = (form.get('name') as string | null)?.trim() ?? '';
      const first = { type: 'SERIES', title: texts.firstWidget, metric: 'MESSAGES_RECEIVED', bucket: 'DAY' } as const;
      const input = { name, timeZone: ownZone(), widgets: [first] };
      const { createDashboard } = await ask(AddDashboardDocument, { input });
      // The user may have left the dialog, and works elsewhere.
      if (isHere()) await navigate({ to: '/dashboards/$id', params: { id: createDashboard.id } });
    },
    { isForm: true },
  );
  const problem = problemOf('name');
  return (
    <Dialog isOpen onClose={onClose} title={texts.create}>
      <form
        className={styles.form}
        // An action would empty the fields at once, and a refusal would leave nothing to correct.
        onSubmit={(event) => {
          event.preventDefault();
          void start(new FormData(event.currentTarget));
        }}
      >
        <TextField label={texts.name} name="name" required maxLength={100} error={problem} />
        {problem === undefined && <FormError error={error} />}
        <div className={styles.formActions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {texts.createNow}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
