// A call that the user starts: its busy state, its failure, and the problems of its fields.

import { useRef, useState } from 'react';
import { useIsHere } from '../app/use-is-here.js';
import { notifyFailure } from '../parts/notices.js';
import { RequestError } from './request-error.js';

export interface Action<Args extends unknown[]> {
  isBusy: boolean;
  /** The failure of the last run. It is undefined once a run succeeds or starts again. */
  error: unknown;
  /** @returns true if the run succeeded; false if it failed, or while an earlier run goes on */
  start: (...args: Args) => Promise<boolean>;
  /** Returns the problem that the last run reported for an input field. */
  problemOf: (field: string) => string | undefined;
  clear: () => void;
}

interface ActionOptions {
  /** Failures stay in `error` for the form to show. Other failures, and those of a form that was left meanwhile, are notices. */
  isForm?: boolean;
  /** Called after a run that succeeded, unless the component is gone: it would close what the user has opened since. */
  onDone?: () => void;
}

export function useAction<Args extends unknown[]>(
  run: (...args: Args) => Promise<unknown>,
  { isForm = false, onDone }: ActionOptions = {},
): Action<Args> {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const isHere = useIsHere();
  const latest = useRef({ run, onDone, isBusy: false });
  latest.current.run = run;
  latest.current.onDone = onDone;
  const start = async (...args: Args) => {
    if (latest.current.isBusy) return false;
    latest.current.isBusy = true;
    setState({ isBusy: true });
    try {
      await latest.current.run(...args);
      setState({ isBusy: false });
      if (isHere()) latest.current.onDone?.();
      return true;
    } catch (error) {
      setState({ isBusy: false, error });
      if (!isForm || !isHere()) notifyFailure(error);
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

/** Returns true if the failure names fields: the form then shows it beside them. */
export const isSaidAtField = (error: unknown): boolean => error instanceof RequestError && error.fields.length > 0;

/** Returns the problem that the API reports for a field or for a part of it. */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof RequestError)) return undefined;
  const found = error.fields.find(({ path }) => {
    const own = path.replace(/^input\./, '');
    return own === field || own.startsWith(`${field}.`);
  });
  return found?.message;
}
