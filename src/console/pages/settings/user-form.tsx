// Adds or changes a user.

import { useId, useState, type FormEvent } from 'react';
import { ask } from '../../api/client.js';
import { RequestError } from '../../api/request-error.js';
import { isSaidAtField, useAction } from '../../api/use-action.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Select, TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { nameOf } from '../../parts/name-of.js';
import { notify } from '../../parts/notices.js';
import { partTexts } from '../../parts/part-texts.js';
import { CreateUserDocument, UpdateUserDocument, type Role, type UserRowFragment } from './operations.js';
import styles from './settings.module.css';
import { signatureTexts } from './signature-texts.js';
import { usersTexts } from './users-texts.js';

const newcomer = { name: null, displayName: null, email: '', role: 'OPERATOR', idpSub: null } as const;

interface UserFormProps {
  /** Undefined for a new user. */
  user?: UserRowFragment;
  onClose: () => void;
  onSaved: (saved: UserRowFragment, isNew: boolean) => void;
}

export function UserForm({ user, onClose, onSaved }: UserFormProps) {
  const texts = useTexts(usersTexts);
  const common = useTexts(partTexts);
  const signature = useTexts(signatureTexts);
  const formId = useId();
  const ownId = useStore(sessionState).user?.id;
  const before = user ?? newcomer;
  const [name, setName] = useState(before.name ?? '');
  const [displayName, setDisplayName] = useState(before.displayName ?? '');
  const [email, setEmail] = useState(before.email);
  const [role, setRole] = useState<Role>(before.role);
  const losesAdmin = user?.id === ownId && role !== 'ADMIN';
  const words =
    user === undefined
      ? { title: texts.addTitle, save: texts.add, done: texts.added }
      : { title: texts.editTitle(nameOf(user)), save: common.save, done: () => texts.saved };
  const save = useAction(
    async () => {
      const given = { name: name.trim(), displayName: displayName.trim(), email: email.trim(), role };
      const saved = await (user === undefined ? create(given) : update(user, given));
      onSaved(saved, user === undefined);
      notify(words.done(nameOf(saved)));
    },
    { isForm: true, onDone: onClose },
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
      title={words.title}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isBusy}>
            {words.save}
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
          label={signature.signsAs}
          hint={signature.signsAsHint}
          dir="auto"
          maxLength={100}
          value={displayName}
          onChange={({ target }) => setDisplayName(target.value)}
          error={save.problemOf('displayName')}
        />
        <TextField
          label={texts.email}
          hint={before.idpSub === null ? texts.emailHint : undefined}
          type="email"
          required
          maxLength={254}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          error={conflict === 'email' ? texts.emailTaken : save.problemOf('email')}
        />
        <Select
          label={texts.role}
          hint={losesAdmin ? texts.losesAdmin : texts[`${role}_HINT`]}
          value={role}
          onChoose={(next) => setRole(next as Role)}
          options={(['OPERATOR', 'ADMIN'] as const).map((one) => ({ value: one, label: texts[one] }))}
          error={conflict === 'role' ? texts.lastAdmin : save.problemOf('role')}
        />
        {conflict === undefined && !isSaidAtField(save.error) && <FormError error={save.error} />}
      </form>
    </Dialog>
  );
}

interface Given {
  name: string;
  displayName: string;
  email: string;
  role: Role;
}

async function create({ name, displayName, ...rest }: Given): Promise<UserRowFragment> {
  const input = { ...rest, ...(name !== '' && { name }), ...(displayName !== '' && { displayName }) };
  return (await ask(CreateUserDocument, { input })).createUser;
}

/** Sends only the changed fields. */
async function update(user: UserRowFragment, { name, displayName, email, role }: Given): Promise<UserRowFragment> {
  const input = {
    ...(name !== (user.name ?? '') && { name: name === '' ? null : name }),
    ...(displayName !== (user.displayName ?? '') && { displayName: displayName === '' ? null : displayName }),
    ...(email !== user.email && { email }),
    ...(role !== user.role && { role }),
  };
  return (await ask(UpdateUserDocument, { id: user.id, input })).updateUser;
}

/** Returns the field of the conflict: the address is taken, or no administrator would be left. */
function conflictOf(error: unknown): 'email' | 'role' | undefined {
  if (!(error instanceof RequestError) || error.code !== 'CONFLICT') return undefined;
  if (error.message.startsWith('email')) return 'email';
  return error.message.includes('ADMIN') ? 'role' : undefined;
}
