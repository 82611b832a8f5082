// The selected rows of a list, in the order of the list: one by one, or from the last one on to another.

import { useEffect, useState } from 'react';

export interface Selection {
  /** The selected rows that are shown, in their order. What leaves the list is selected no more. */
  ids: readonly string[];
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  /** Selects the rows between the row that was selected last and this one, both included. */
  extendTo: (id: string) => void;
  /** Ends the selection of these rows. */
  drop: (ids: readonly string[]) => void;
  clear: () => void;
}

interface Selected {
  ids: ReadonlySet<string>;
  /** The row from which a selection is extended. */
  anchor: string | undefined;
}

const nothing: Selected = { ids: new Set(), anchor: undefined };

/** @param order the ids of the shown rows, from top to bottom */
export function useSelection(order: readonly string[]): Selection {
  const [{ ids, anchor }, select] = useState(nothing);
  const toggle = (id: string) => {
    const isSelected = ids.has(id);
    select({ ids: isSelected ? without(ids, [id]) : new Set([...ids, id]), anchor: isSelected ? undefined : id });
  };
  const shown = order.filter((id) => ids.has(id));
  // A row that has left the list is not selected again when it comes back.
  useEffect(() => {
    if (shown.length < ids.size) select((now) => ({ ...now, ids: new Set(order.filter((id) => now.ids.has(id))) }));
  }, [shown.length, ids]);
  return {
    ids: shown,
    has: (id) => ids.has(id),
    toggle,
    extendTo: (id) => {
      const places = [order.indexOf(anchor ?? id), order.indexOf(id)];
      if (places.includes(-1)) return toggle(id);
      const between = order.slice(Math.min(...places), Math.max(...places) + 1);
      select({ ids: new Set([...ids, ...between]), anchor: anchor ?? id });
    },
    drop: (gone) => select((now) => ({ ...now, ids: without(now.ids, gone) })),
    clear: () => select(nothing),
  };
}

function without(ids: ReadonlySet<string>, gone: readonly string[]): ReadonlySet<string> {
  return new Set([...ids].filter((id) => !gone.includes(id)));
}

/** Returns how a click on a row selects: Shift extends, Ctrl or Cmd toggles; undefined where it opens the row. */
export function clickOf({
  shiftKey,
  ctrlKey,
  metaKey,
}: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>): 'extendTo' | 'toggle' | undefined {
  if (shiftKey) return 'extendTo';
  return ctrlKey || metaKey ? 'toggle' : undefined;
}
