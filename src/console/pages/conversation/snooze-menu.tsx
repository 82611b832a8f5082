// The menu of times of a conversation: it comes back then in any case, or only if the lead has not written.

import { useState, type RefObject } from 'react';
import { useCommands } from '../../app/commands.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { IconButton } from '../../parts/button.js';
import { Menu, MenuCheck, MenuDivider, MenuItem } from '../../parts/menu.js';
import { snoozeTimes } from '../../parts/snooze-times.js';
import { conversationTexts } from './texts.js';
import { TimeDialog } from './time-dialog.js';

interface SnoozeMenuProps {
  button: RefObject<HTMLButtonElement | null>;
  className: string | undefined;
  onSnooze: (until: Date) => void;
  onRemind: (at: Date) => void;
}

export function SnoozeMenu({ button, className, onSnooze, onRemind }: SnoozeMenuProps) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const [isReminder, setReminder] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const timeOfDay = formats.time(snoozeTimes().tomorrow.toISOString());
  const choices = [
    { time: 'hour', text: texts.inAnHour },
    { time: 'tomorrow', text: texts.tomorrow(timeOfDay) },
    { time: 'monday', text: texts.monday(timeOfDay) },
  ] as const;
  const choose = (at: Date) => {
    setReminder(false);
    if (isReminder) onRemind(at);
    else onSnooze(at);
  };
  const title = isReminder ? texts.remind : texts.snooze;
  const ask = () => {
    setReminder(true);
    button.current?.click();
  };
  useCommands([{ id: 'remind', title: texts.remind, group: texts.conversation, run: ask }]);
  return (
    <>
      <Menu trigger={<IconButton ref={button} icon="snooze" label={texts.snooze} className={className ?? ''} />}>
        <MenuCheck isChecked={isReminder} onChange={setReminder}>
          {texts.ifNoReply}
        </MenuCheck>
        <MenuDivider />
        {/* The menu may have been drawn long before the choice. */}
        {choices.map(({ time, text }) => (
          <MenuItem key={text} onChoose={() => choose(snoozeTimes()[time])}>
            {text}
          </MenuItem>
        ))}
        <MenuItem onChoose={() => setTimeout(() => setPicking(true))}>{texts.pickTime}</MenuItem>
      </Menu>
      {isPicking && (
        <TimeDialog
          title={title}
          label={texts.until}
          confirm={title}
          onClose={() => {
            setPicking(false);
            setReminder(false);
          }}
          onChoose={(at) => {
            choose(at);
            return true;
          }}
        />
      )}
    </>
  );
}
