// A call that the user starts: whether it runs, why it failed, and which fields it found wrong.

import { useRef, useState } from 'react';
import { notifyFailure } from '../parts/notices.js';
import { RequestError } from './request-error.js';

export interface Action<Args extends unknown[]> {
  isBusy: boolean;
  /** Of the last run; undefined once it succeeds or starts again. */
  error: unknown;
  /** @returns whether it succeeded; false too while an earlier run goes on */
  start: (...args: Args) => Promise<boolean>;
  /** What is wrong with a field of its input. */
  problemOf: (field: string) => string | undefined;
  clear: () => void;
}

/** Failures are shown as notices; with `isForm` they stay in `error` for the form to show. */
export function useAction<Args extends unknown[]>(
  run: (...args: Args) => Promise<unknown>,
  { isForm = false } = {},
): Action<Args> {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const latest = useRef({ run, isBusy: false });
  latest.current.run = run;
  const start = async (...args: Args) => {
    if (latest.current.isBusy) return false;
    latest.current.isBusy = true;
    setState({ isBusy: true });
    try {
      await latest.current.run(...args);
      setState({ isBusy: false });
      return true;
    } catch (error) {
      setState({ isBusy: false, error });
      if (!isForm) notifyFailure(error);
      return false;
    } finally {
      latest.current.isBusy = false;
    }
  };
  return {
    isBusy: state.isBusy,
    error: state.error,
    start,
    problemOf: (field) => problemOf(state.error, field),
    clear: () => setState(({ isBusy }) => ({ isBusy })),
  };
}

/** Whether the failure names fields, so that it is shown beside them. */
export const isSaidAtField = (error: unknown): boolean => error instanceof RequestError && error.fields.length > 0;

/** What the API says is wrong with a field, or with a part of it. */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof RequestError)) return undefined;
  const found = error.fields.find(({ path }) => {
    const own = path.replace(/^input\./, '');
    return own === field || own.startsWith(`${field}.`);
  });
  return found?.message;
}
