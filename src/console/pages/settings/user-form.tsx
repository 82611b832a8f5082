// Adds a user, or changes one.

import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { ask } from '../../api/client.js';
import { RequestError } from '../../api/request-error.js';
import { useAction } from '../../api/use-action.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Select, TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { notify } from '../../parts/notices.js';
import { partTexts } from '../../parts/part-texts.js';
import { CreateUserDocument, UpdateUserDocument } from './operations.js';
import type { Role, UserRowFragment } from './operations.js';
import styles from './settings.module.css';
import { usersTexts } from './users-texts.js';

interface UserFormProps {
  /** None: a new one. */
  user?: UserRowFragment;
  onClose: () => void;
  onSaved: (saved: UserRowFragment, isNew: boolean) => void;
}

export function UserForm({ user, onClose, onSaved }: UserFormProps) {
  const texts = useTexts(usersTexts);
  const common = useTexts(partTexts);
  const formId = useId();
  const own = useStore(sessionState).user;
  const [name, setName] = useState(user?.name ?? '');
  const [email, setEmail] = useState(user?.email ?? '');
  const [role, setRole] = useState<Role>(user?.role ?? 'OPERATOR');
  const losesAdmin = user !== undefined && user.id === own?.id && role !== 'ADMIN';
  const save = useAction(
    async () => {
      const called = name.trim();
      if (user === undefined) {
        const input = { email: email.trim(), role, ...(called !== '' && { name: called }) };
        const { createUser } = await ask(CreateUserDocument, { input });
        onSaved(createUser, true);
        notify(texts.added(createUser.name ?? createUser.email));
        return;
      }
      const input = {
        ...(called !== (user.name ?? '') && { name: called === '' ? null : called }),
        ...(email.trim() !== user.email && { email: email.trim() }),
        ...(role !== user.role && { role }),
      };
      onSaved((await ask(UpdateUserDocument, { id: user.id, input })).updateUser, false);
      notify(texts.saved);
    },
    { isForm: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.start();
  };
  const conflict = conflictOf(save.error);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={user === undefined ? texts.addTitle : texts.editTitle(user.name ?? user.email)}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isBusy}>
            {user === undefined ? texts.add : common.save}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit}>
        <TextField
          label={texts.name}
          autoFocus
          dir="auto"
          maxLength={200}
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={save.problemOf('name')}
        />
        <TextField
          label={texts.email}
          hint={user === undefined || user.idpSub === null ? texts.emailHint : undefined}
          type="email"
          required
          maxLength={254}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          error={conflict === 'email' ? texts.emailTaken : save.problemOf('email')}
        />
        <Select
          label={texts.role}
          hint={losesAdmin ? texts.losesAdmin : role === 'ADMIN' ? texts.adminHint : texts.operatorHint}
          value={role}
          onChoose={(next) => setRole(next as Role)}
          options={(['OPERATOR', 'ADMIN'] as const).map((one) => ({ value: one, label: texts[one] }))}
          error={conflict === 'role' ? texts.lastAdmin : save.problemOf('role')}
        />
        {conflict === undefined && <FormError error={save.error} />}
      </form>
    </Dialog>
  );
}

/** The two conflicts that a user can have: the address is taken, or no administrator would be left. */
function conflictOf(error: unknown): 'email' | 'role' | undefined {
  if (!(error instanceof RequestError) || error.code !== 'CONFLICT') return undefined;
  if (error.message.startsWith('email')) return 'email';
  return error.message.includes('ADMIN') ? 'role' : undefined;
}
