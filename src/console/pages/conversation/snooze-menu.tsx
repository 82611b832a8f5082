// The menu of times of a conversation: it comes back then in any case, or only if the lead has not written.

import { useState, type RefObject } from 'react';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { IconButton } from '../../parts/button.js';
import { Menu, MenuDivider, MenuItem } from '../../parts/menu.js';
import { snoozeTimes } from '../../parts/snooze-times.js';
import { conversationTexts } from './texts.js';
import { TimeDialog } from './time-dialog.js';

interface SnoozeMenuProps {
  button: RefObject<HTMLButtonElement | null>;
  className: string | undefined;
  onSnooze: (until: Date) => void;
  onRemind: (at: Date) => void;
}

type Picking = 'snooze' | 'remind';

export function SnoozeMenu({ button, className, onSnooze, onRemind }: SnoozeMenuProps) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const [picking, setPicking] = useState<Picking>();
  const times = snoozeTimes();
  const timeOfDay = formats.time(times.tomorrow.toISOString());
  const choices = [
    { at: times.hour, text: texts.inAnHour },
    { at: times.tomorrow, text: texts.tomorrow(timeOfDay) },
    { at: times.monday, text: texts.monday(timeOfDay) },
  ];
  const pick = (wanted: Picking) => () => setTimeout(() => setPicking(wanted));
  const title = picking === 'remind' ? texts.remind : texts.snooze;
  return (
    <>
      <Menu trigger={<IconButton ref={button} icon="snooze" label={texts.snooze} className={className ?? ''} />}>
        {choices.map(({ at, text }) => (
          <MenuItem key={text} onChoose={() => onSnooze(at)}>
            {text}
          </MenuItem>
        ))}
        <MenuItem onChoose={pick('snooze')}>{texts.pickTime}</MenuItem>
        <MenuDivider />
        {choices.map(({ at, text }) => (
          <MenuItem key={text} onChoose={() => onRemind(at)}>
            {texts.ifNoReply(text)}
          </MenuItem>
        ))}
        <MenuItem onChoose={pick('remind')}>{texts.ifNoReply(texts.pickTime)}</MenuItem>
      </Menu>
      {picking !== undefined && (
        <TimeDialog
          title={title}
          label={texts.until}
          confirm={title}
          onClose={() => setPicking(undefined)}
          onChoose={picking === 'remind' ? onRemind : onSnooze}
        />
      )}
    </>
  );
}
