// The colleagues in a menu that gives something to one of them.

import { useColleagues } from '../api/use-colleagues.js';
import { appTexts } from '../app/texts.js';
import { useTexts } from '../i18n/language.js';
import { MenuItem } from './menu.js';
import { nameOf } from './name-of.js';

interface ColleagueItemsProps {
  /** Users who have an item of their own, or are not offered. */
  without: readonly (string | undefined)[];
  onChoose: (userId: string) => void;
}

/** Until the colleagues are read a line keeps their place. A key that went there is at the first of them once they are here. */
export function ColleagueItems({ without, onChoose }: ColleagueItemsProps) {
  const { loading } = useTexts(appTexts);
  const known = useColleagues();
  const others = known.filter(({ id, isActive }) => isActive && !without.includes(id));
  if (known.length === 0)
    return (
      <MenuItem key={firstPlace} isDisabled onChoose={() => undefined}>
        {loading}
      </MenuItem>
    );
  return others.map((colleague, index) => (
    <MenuItem key={index === 0 ? firstPlace : colleague.id} onChoose={() => onChoose(colleague.id)}>
      {nameOf(colleague)}
    </MenuItem>
  ));
}

const firstPlace = 'first';
