// Which hit of a search the open message is, over the foot of the log.

import { useEffect, useRef } from 'react';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import type { FoundPlace as Found } from '../../live/found-place.js';
import { Button, IconButton } from '../../parts/button.js';
import { foundPlaceTexts } from './found-place-texts.js';
import styles from './log.module.css';

/** The step that opens another conversation, whose button takes the focus there. */
let steppedBy: 1 | -1 | undefined;

/** Says which hit of the search is open, and leads to the others. */
export function FoundPlace({
  found: { place, count, isMore, step },
  onNewest,
}: {
  found: Found;
  onNewest: () => void;
}) {
  const texts = useTexts(foundPlaceTexts);
  const formats = useFormats();
  const cameBy = useRef(steppedBy);
  useEffect(() => {
    steppedBy = undefined;
  }, [place]);
  const go = (by: 1 | -1) => {
    if (place === (by === 1 ? count : 1)) return;
    steppedBy = by;
    step(by);
  };
  return (
    <div className={styles.found} role="group" aria-label={texts.hits}>
      <span role="status">{texts.hitOf(formats.number(place), `${formats.number(count)}${isMore ? '+' : ''}`)}</span>
      <IconButton
        icon="up"
        label={texts.previousHit}
        autoFocus={cameBy.current === -1}
        aria-disabled={place === 1 || undefined}
        onClick={() => go(-1)}
      />
      <IconButton
        icon="down"
        label={texts.nextHit}
        autoFocus={cameBy.current === 1}
        aria-disabled={place === count || undefined}
        onClick={() => go(1)}
      />
      <Button kind="quiet" onClick={onNewest}>
        {texts.newest}
      </Button>
    </div>
  );
}
