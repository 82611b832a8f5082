// The page that the identity provider redirects the browser to.

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { explain } from '../../api/request-error.js';
import { finishSignIn } from '../../app/session.js';
import { useTexts } from '../../i18n/language.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Loading } from '../../parts/status-of-load.js';
import { signInTexts } from './texts.js';

// A code works once, but effects may run twice.
let attempt: Promise<string> | undefined;

export function CallbackPage() {
  const texts = useTexts(signInTexts);
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    attempt ??= finishSignIn(new URLSearchParams(location.search)).finally(() => (attempt = undefined));
    attempt.then(
      (returnTo) => navigate({ href: returnTo, replace: true }),
      (error: unknown) => setProblem(explain(error)),
    );
  }, [navigate]);
  if (problem === undefined) return <Loading />;
  return (
    <EmptyState title={texts.failed} hint={problem} role="alert">
      <a href="/sign-in">{texts.again}</a>
    </EmptyState>
  );
}
