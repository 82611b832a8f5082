// The page of an administrator's sign-in link. It signs in by the token after `#`, and removes it from the address at once.

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { RequestError, explain } from '../../api/request-error.js';
import { signInByLink } from '../../app/session.js';
import { useTexts } from '../../i18n/language.js';
import { EmptyState } from '../../parts/empty-state.js';
import { useTitle } from '../../parts/page.js';
import { Loading } from '../../parts/status-of-load.js';
import { signInTexts } from './texts.js';

// A link works once, but effects may run twice.
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

/**
 * UNAUTHENTICATED: the token is unknown, used or expired. NOT_FOUND: this server accepts no links. VALIDATION_FAILED: there is no token.
 */
const refusals = new Set(['UNAUTHENTICATED', 'NOT_FOUND', 'VALIDATION_FAILED']);

function takeToken(): string {
  const token = location.hash.slice(1);
  history.replaceState(history.state, '', location.pathname);
  return token;
}
