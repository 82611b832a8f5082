// Keeps the filters, the order and the columns that are shown under a name, and renames or deletes a kept view.

import { useNavigate } from '@tanstack/react-router';
import { useIsHere } from '../../app/use-is-here.js';
import { useTexts } from '../../i18n/language.js';
import { ViewMenu } from '../../parts/kept-views/view-menu.js';
import type { ColumnName } from './lead-columns.js';
import { leadsTexts } from './texts.js';
import type { useLeadViews } from './use-lead-views.js';

interface MenuProps {
  kept: ReturnType<typeof useLeadViews>;
  columns: readonly ColumnName[];
  canKeep: boolean;
}

export function LeadViewMenu({ kept, columns, canKeep }: MenuProps) {
  const texts = useTexts(leadsTexts);
  const navigate = useNavigate();
  const isHere = useIsHere();
  return (
    <ViewMenu
      view={kept.shown}
      canKeep={canKeep}
      group={texts.title}
      hint={texts.viewHint}
      onKeep={(name) => kept.keepShown(name, columns)}
      onRename={({ id }, name) => kept.rename(id, name)}
      onDelete={async ({ id }) => {
        await kept.remove(id);
        if (isHere()) void navigate({ to: '/leads', search: {} });
      }}
      onRestore={kept.keep}
    />
  );
}
