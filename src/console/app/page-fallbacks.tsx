// Replacements for a page that cannot be shown.

import type { ErrorComponentProps } from '@tanstack/react-router';
import { explain, requestLine } from '../api/request-error.js';
import { useTexts } from '../i18n/language.js';
import { Button } from '../parts/button.js';
import { EmptyState } from '../parts/empty-state.js';
import { useTitle } from '../parts/page.js';
import { appTexts } from './texts.js';

export function NotFound() {
  const texts = useTexts(appTexts);
  useTitle(texts.notFound);
  return (
    <EmptyState title={texts.notFound}>
      <a href="/inbox">{texts.toInbox}</a>
    </EmptyState>
  );
}

export function PageError({ error, reset }: ErrorComponentProps) {
  const texts = useTexts(appTexts);
  return (
    <EmptyState title={texts.pageFailed} hint={explain(error)} role="alert">
      <p>{requestLine(error)}</p>
      <Button onClick={() => reset()}>{texts.tryAgain}</Button>
    </EmptyState>
  );
}

/** Replaces a page that only administrators may see. */
export function AdminsOnly() {
  return <EmptyState title={useTexts(appTexts).adminsOnly} />;
}
