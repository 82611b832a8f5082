// The sign-in page: the identity provider, and a choice of demo users in development.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { explain } from '../../api/request-error.js';
import { useLoaded } from '../../api/use-loaded.js';
import { readSignInOptions, sessionState, signInAs, startSignIn } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import { Avatar } from '../../parts/avatar.js';
import { Button } from '../../parts/button.js';
import { Mark } from '../../parts/mark.js';
import { useTitle } from '../../parts/page.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import styles from './sign-in.module.css';
import { signInTexts } from './texts.js';

/** The people whom development creates. */
const demoPeople = [
  { subject: 'demo-admin', name: 'admin', role: 'ADMIN' },
  { subject: 'demo-operator', name: 'operator', role: 'OPERATOR' },
  { subject: 'demo-beatriz', name: 'beatriz', role: 'OPERATOR' },
  { subject: 'demo-james', name: 'james', role: 'OPERATOR' },
] as const;

export function SignInPage() {
  const texts = useTexts(signInTexts);
  const { returnTo = '/inbox' } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const { data, error, reload } = useLoaded('options', readSignInOptions);
  const [work, setWork] = useState<{ isBusy: boolean; problem?: string }>({ isBusy: false });
  const state = useStore(sessionState);
  const reason = state.user === undefined ? state.reason : undefined;
  useTitle(texts.title);

  const run = async (step: () => Promise<void>) => {
    setWork({ isBusy: true });
    try {
      await step();
    } catch (failure) {
      setWork({ isBusy: false, problem: explain(failure) });
    }
  };
  const signInWith = (subject: string) =>
    run(async () => {
      await signInAs(subject);
      await navigate({ href: returnTo, replace: true });
    });

  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Mark size={44} />
        <h1>{texts.title}</h1>
        <p>{texts.purpose}</p>
        {reason !== undefined && <p role="status">{texts[reason]}</p>}
        {data === undefined && (error === undefined ? <Loading /> : <LoadFailed error={error} onRetry={reload} />)}
        {data !== undefined && data.authorizationEndpoint !== null && (
          <Button kind="primary" isBusy={work.isBusy} onClick={() => void run(() => startSignIn(data, returnTo))}>
            {texts.signIn}
          </Button>
        )}
        {data?.devSignIn === true && (
          <>
            <p>{texts.development}</p>
            <ul className={styles.people}>
              {demoPeople.map(({ subject, name, role }) => (
                <li key={subject}>
                  <Button kind="line" isBusy={work.isBusy} onClick={() => void signInWith(subject)}>
                    <Avatar id={subject} name={texts[name]} size={26} />
                    {texts[name]} <small>{texts[role]}</small>
                  </Button>
                </li>
              ))}
            </ul>
          </>
        )}
        {data?.devSignIn === false && data.authorizationEndpoint === null && <p>{texts.noProvider}</p>}
        {work.problem !== undefined && <p role="alert">{work.problem}</p>}
      </div>
    </main>
  );
}
