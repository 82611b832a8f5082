// The choices of a bulk send that was not sent yet, kept in this tab under the user's id. Recipients are read again: leads change.

import { useEffect, useRef, useState } from 'react';
import { draftKey } from '../../app/session.js';
import type { ChosenContent } from './content-step.js';
import { noConditions, type Conditions } from './lead-conditions.js';
import type { ValueSource } from './send-plan.js';

export interface BulkDraft {
  chosen: ChosenContent;
  conditions: Conditions;
  sources: Record<string, ValueSource>;
}

export const emptyBulkDraft: BulkDraft = { chosen: { instanceId: '' }, conditions: noConditions, sources: {} };

const nothing = JSON.stringify(emptyBulkDraft);

interface KeptDraft extends BulkDraft {
  keptAt: string;
}

function read(key: string): KeptDraft | undefined {
  const stored = sessionStorage.getItem(key);
  return stored === null ? undefined : (JSON.parse(stored) as KeptDraft);
}

const keyOf = (userId: string) => draftKey('bulk', userId);

export const forgetKeptBulk = (userId: string): void => sessionStorage.removeItem(keyOf(userId));

/** @returns the draft that was kept before, and functions that keep another and forget it */
export function useKeptBulk(userId: string) {
  const key = keyOf(userId);
  const [first] = useState(() => read(key));
  const [keptAt, setKeptAt] = useState(first?.keptAt);
  const written = useRef(first === undefined ? undefined : JSON.stringify(draftOf(first)));
  const forget = () => {
    written.current = undefined;
    forgetKeptBulk(userId);
    setKeptAt(undefined);
  };
  const keep = (draft: BulkDraft) => {
    const text = JSON.stringify(draftOf(draft));
    if (text === (written.current ?? nothing)) return;
    if (text === nothing) return forget();
    written.current = text;
    const now = new Date().toISOString();
    try {
      sessionStorage.setItem(key, JSON.stringify({ ...draft, keptAt: now }));
      setKeptAt(now);
    } catch {
      // The storage is full. The form goes on without a copy.
    }
  };
  return { first: first ?? emptyBulkDraft, keptAt, keep, forget };
}

const draftOf = ({ chosen, conditions, sources }: BulkDraft): BulkDraft => ({ chosen, conditions, sources });

/** Keeps each change of the form. */
export function useKeeping(keep: (draft: BulkDraft) => void, draft: BulkDraft): void {
  const latest = useRef(keep);
  latest.current = keep;
  const { chosen, conditions, sources } = draft;
  useEffect(() => latest.current({ chosen, conditions, sources }), [chosen, conditions, sources]);
}
