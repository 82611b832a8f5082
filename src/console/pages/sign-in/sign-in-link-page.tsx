// Where an administrator's link leads: signs in by what stands behind `#`, and takes it out of the address at once.

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { RequestError, explain } from '../../api/request-error.js';
import { signInByLink } from '../../app/session.js';
import { useTexts } from '../../i18n/language.js';
import { EmptyState } from '../../parts/empty-state.js';
import { useTitle } from '../../parts/page.js';
import { Loading } from '../../parts/status-of-load.js';
import { signInTexts } from './texts.js';

// A link counts once, and effects may run twice.
let attempt: Promise<void> | undefined;

export function SignInLinkPage() {
  const texts = useTexts(signInTexts);
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>();
  useTitle(texts.byLink);
  useEffect(() => {
    attempt ??= signInByLink(takeToken()).finally(() => (attempt = undefined));
    attempt.then(() => navigate({ to: '/inbox', replace: true }), setFailure);
  }, [navigate]);
  if (failure === undefined) return <Loading />;
  const isRefused = failure instanceof RequestError && refusals.has(failure.code);
  return (
    <EmptyState
      title={isRefused ? texts.linkRefused : texts.failed}
      hint={isRefused ? texts.linkAdvice : explain(failure)}
      role="alert"
    >
      <a href="/sign-in">{texts.again}</a>
    </EmptyState>
  );
}

/** Unknown, used or expired; no link counts here; no token at all. */
const refusals = new Set(['UNAUTHENTICATED', 'NOT_FOUND', 'VALIDATION_FAILED']);

function takeToken(): string {
  const token = location.hash.slice(1);
  history.replaceState(history.state, '', location.pathname);
  return token;
}
