// The tenant's users: search, addition, change of role, deactivation and reactivation.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { RequestError } from '../../api/request-error.js';
import { useAction } from '../../api/use-action.js';
import { usePages } from '../../api/use-pages.js';
import { useCommands } from '../../app/commands.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useIsPhone } from '../../app/use-media.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Avatar } from '../../parts/avatar.js';
import { Badge } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Select, TextField } from '../../parts/field.js';
import { ListEnd } from '../../parts/list-end.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { nameOf } from '../../parts/name-of.js';
import { notify, notifyFailure } from '../../parts/notices.js';
import { Page } from '../../parts/page.js';
import { Table } from '../../parts/table.js';
import { FilterBar } from '../../parts/filter-bar.js';
import { AdminSection } from './admin-section.js';
import { UpdateUserDocument, UsersDocument, type UserRowFragment } from './operations.js';
import { readSettingsCounts } from './settings-counts.js';
import styles from './settings.module.css';
import { useDebounced } from './use-debounced.js';
import { UserForm } from './user-form.js';
import { usersTexts } from './users-texts.js';

type State = 'all' | 'active' | 'deactivated';

export function UsersPage() {
  return <AdminSection>{() => <Users />}</AdminSection>;
}

function Users() {
  const texts = useTexts(usersTexts);
  const navigate = useNavigate();
  const { q = '' } = useSearch({ from: '/signed-in/settings/users' });
  const [typed, setTyped] = useState(q);
  const [state, setState] = useState<State>('all');
  const [form, setForm] = useState<{ user?: UserRowFragment }>();
  const search = useDebounced(typed.trim());
  useEffect(() => {
    if (search !== q)
      void navigate({ to: '/settings/users', search: search === '' ? {} : { q: search }, replace: true });
  }, [search]);
  const pages = usePages(`users ${state} ${search}`, async (after) => {
    const filter = {
      ...(search !== '' && { search }),
      ...(state !== 'all' && { isActive: state === 'active' }),
    };
    return (await askAgain(UsersDocument, { after, filter })).users;
  });
  const onSaved = (saved: UserRowFragment, isNew: boolean) => {
    readSettingsCounts().catch(() => undefined);
    pages.change((users) => {
      const isKnown = !isNew || users.some(({ id }) => id === saved.id);
      return isKnown ? users.map((one) => (one.id === saved.id ? saved : one)) : [saved, ...users];
    });
  };
  const isPhone = useIsPhone();
  useCommands([{ id: 'add-user', title: texts.add, group: texts.users, run: () => setForm({}) }]);

  return (
    <Page
      title={texts.users}
      actions={
        <Button kind="primary" icon="plus" onClick={() => setForm({})}>
          {texts.add}
        </Button>
      }
      bar={
        <FilterBar>
          <TextField
            label={texts.find}
            maxLength={100}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Select
            label={texts.state}
            value={state}
            onChoose={(next) => setState(next as State)}
            options={(['all', 'active', 'deactivated'] as const).map((one) => ({ value: one, label: texts[one] }))}
          />
        </FilterBar>
      }
    >
      {pages.nodes.length > 0 && (
        <Table
          label={texts.users}
          columns={[
            { name: texts.user },
            ...(isPhone ? [] : [{ name: texts.role }, { name: texts.since }]),
            { name: texts.actions, isNameHidden: true },
          ]}
        >
          {pages.nodes.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              isPhone={isPhone}
              onEdit={() => setForm({ user })}
              onSaved={(saved) => onSaved(saved, false)}
            />
          ))}
        </Table>
      )}
      {!pages.isLoading && pages.error === undefined && pages.nodes.length === 0 && (
        <EmptyState title={texts.none} hint={texts.noneHint} />
      )}
      <ListEnd pages={pages} />
      {form !== undefined && <UserForm {...form} onClose={() => setForm(undefined)} onSaved={onSaved} />}
    </Page>
  );
}

interface UserRowProps {
  user: UserRowFragment;
  /** There is no room for more columns, so the role stands below the name. */
  isPhone: boolean;
  onEdit: () => void;
  onSaved: (saved: UserRowFragment) => void;
}

function UserRow({ user, isPhone, onEdit, onSaved }: UserRowProps) {
  const texts = useTexts(usersTexts);
  const formats = useFormats();
  const ownId = useStore(sessionState).user?.id;
  const [isAsking, setIsAsking] = useState(false);
  const { id, name, email, role, isActive, idpSub, createdAt } = user;
  const shown = nameOf(user);
  const change = async (wanted: boolean) => {
    try {
      onSaved((await ask(UpdateUserDocument, { id, input: { isActive: wanted } })).updateUser);
    } catch (error) {
      throw error instanceof RequestError && error.code === 'CONFLICT'
        ? new RequestError('CONFLICT', texts.lastAdmin, error.requestId)
        : error;
    }
  };
  const activate = useAction(async () => {
    await change(true);
    notify(texts.activated(shown));
  });
  const roleAndState = (
    <>
      <Badge kind={role === 'ADMIN' ? 'accent' : 'neutral'}>{texts[role]}</Badge>{' '}
      {!isActive && <Badge kind="warning">{texts.deactivated}</Badge>}
    </>
  );
  return (
    <tr className={isActive ? '' : styles.off}>
      <td>
        <div className={styles.who}>
          <Avatar id={id} name={shown} size={22} />
          <div className={styles.person}>
            <span dir="auto">
              {shown}
              {id === ownId && ` (${texts.you})`}
            </span>
            {name !== null && <small>{email}</small>}
            {idpSub === null && <small>{texts.neverIn}</small>}
            {isPhone && <span>{roleAndState}</span>}
          </div>
        </div>
      </td>
      {!isPhone && (
        <>
          <td>{roleAndState}</td>
          <td title={formats.full(createdAt)}>{formats.short(createdAt)}</td>
        </>
      )}
      <td className={styles.rowActions}>
        <Menu trigger={<IconButton icon="more" label={texts.more(shown)} isBusy={activate.isBusy} />}>
          <MenuItem onChoose={onEdit}>{texts.edit}</MenuItem>
          {isActive ? (
            <MenuItem
              isDanger
              onChoose={() => (id === ownId ? notifyFailure(new Error(texts.notYourself)) : setIsAsking(true))}
            >
              {texts.deactivate}
            </MenuItem>
          ) : (
            <MenuItem onChoose={() => void activate.start()}>{texts.activate}</MenuItem>
          )}
        </Menu>
        {isAsking && (
          <ConfirmDialog
            title={texts.deactivateTitle(shown)}
            text={texts.deactivateText}
            confirmLabel={texts.deactivate}
            onConfirm={() => change(false)}
            onClose={() => setIsAsking(false)}
          />
        )}
      </td>
    </tr>
  );
}
