// The user's own record: the display name, and the line that begins the user's messages.

import { useState, type FormEvent } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { notify } from '../../parts/notices.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { ProfileDocument, UpdateProfileDocument, type ProfileFieldsFragment } from './operations.js';
import styles from './settings.module.css';
import { signatureTexts } from './signature-texts.js';

export function ProfileSection() {
  const texts = useTexts(signatureTexts);
  const { data, error, reload, change } = useLoaded('profile', () => askAgain(ProfileDocument));
  return (
    <section className={styles.section} aria-label={texts.profile}>
      {error !== undefined && <LoadFailed error={error} onRetry={reload} />}
      {data === undefined ? (
        error === undefined && <Loading />
      ) : (
        <ProfileForm profile={data.me} onSaved={(me) => change(() => ({ me }))} />
      )}
    </section>
  );
}

interface ProfileFormProps {
  profile: ProfileFieldsFragment;
  onSaved: (saved: ProfileFieldsFragment) => void;
}

function ProfileForm({ profile, onSaved }: ProfileFormProps) {
  const texts = useTexts(signatureTexts);
  const [written, setWritten] = useState(profile.displayName ?? '');
  const displayName = written.trim() === '' ? null : written.trim();
  const save = useAction(
    async () => {
      const { updateProfile } = await ask(UpdateProfileDocument, { input: { displayName } });
      onSaved(updateProfile);
      // A change that was written meanwhile stays.
      setWritten((now) => (now === written ? (updateProfile.displayName ?? '') : now));
      notify(texts.saved);
    },
    { isForm: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.start();
  };
  return (
    <form className={styles.rows} data-rows onSubmit={submit}>
      <div className={styles.group}>
        <TextField
          label={texts.displayName}
          hint={texts.displayNameHint(profile.name ?? texts.nobody)}
          dir="auto"
          maxLength={100}
          value={written}
          onChange={({ target }) => setWritten(target.value)}
          error={save.problemOf('displayName')}
        />
        <p dir="auto" className={styles.hint}>
          {profile.signature === null ? texts.without : texts.before(profile.signature)}
        </p>
        <FormError error={save.error} />
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" isBusy={save.isBusy} disabled={displayName === profile.displayName}>
            {texts.update}
          </Button>
        </div>
      </div>
    </form>
  );
}
