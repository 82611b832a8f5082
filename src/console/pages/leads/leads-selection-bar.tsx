// The bar below the table of leads: acts on the selected rows, or on all leads that the filter finds.

import { useState } from 'react';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { SelectionBar } from '../../parts/selection/selection-bar.js';
import styles from '../../parts/selection/selection.module.css';
import { selectionTexts } from '../../parts/selection/texts.js';
import { useSelection, type Selection } from '../../parts/selection/use-selection.js';
import type { LeadFilter, LeadLineFragment } from './operations.js';

interface LeadsSelection extends Selection {
  /** True for a selection of all leads that the filter finds, also of those that are not shown. */
  isAll: boolean;
  selectAll: () => void;
}

export function useLeadsSelection(leads: readonly LeadLineFragment[], filter: LeadFilter): LeadsSelection {
  const selection = useSelection(leads.map(({ id }) => id));
  const [allOf, setAllOf] = useState<string>();
  const filterNow = JSON.stringify(filter);
  // Another filter ends the selection of all that it finds.
  const isAll = allOf === filterNow && selection.ids.length > 0;
  const endAll = () => setAllOf(undefined);
  const clear = () => {
    endAll();
    selection.clear();
  };
  return {
    ...selection,
    isAll,
    selectAll: () => setAllOf(filterNow),
    has: (id) => isAll || selection.has(id),
    toggle: isAll ? endAll : selection.toggle,
    extendTo: isAll ? endAll : selection.extendTo,
    drop: isAll ? clear : selection.drop,
    clear,
  };
}

interface LeadsSelectionBarProps {
  selection: LeadsSelection;
  /** The shown rows. */
  leads: readonly LeadLineFragment[];
  filter: LeadFilter;
  /** The number of leads that the filter finds; undefined until it is known. */
  count: number | undefined;
}

export function LeadsSelectionBar({ selection, leads, filter, count }: LeadsSelectionBarProps) {
  const texts = useTexts(selectionTexts);
  const formats = useFormats();
  const { isAll, selectAll, drop, clear } = selection;
  const selected = selection.ids.length;
  if (selected === 0) return null;
  const areClosed = leads.every((lead) => !selection.has(lead.id) || lead.conversationStatus === 'CLOSED');
  return (
    <div className={styles.foot}>
      <SelectionBar
        isFloating
        count={isAll ? (count ?? 0) : selected}
        leads={isAll ? { filter } : { leadIds: [...selection.ids] }}
        areClosed={!isAll && areClosed}
        onDone={drop}
        onClear={clear}
      >
        {!isAll && count !== undefined && count > selected && (
          <Button onClick={selectAll}>{texts.selectAll(formats.number(count))}</Button>
        )}
      </SelectionBar>
    </div>
  );
}
