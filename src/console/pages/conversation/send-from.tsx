// The choice of the instance that will send the answer.

import { useRef, type RefObject } from 'react';
import type { Instance } from '../../api/use-instances.js';
import { useCommands } from '../../app/commands.js';
import { useTexts } from '../../i18n/language.js';
import { printNumber } from '../../parts/number-groups.js';
import { composerTexts } from './composer-texts.js';
import styles from './composer.module.css';
import { connected } from './line-trouble.js';
import { conversationTexts } from './texts.js';
import type { SendingInstance } from './use-sending-instance.js';

interface SendFromProps {
  text: RefObject<HTMLTextAreaElement | null>;
  sending: SendingInstance;
  isQuote: boolean;
  onChoose: (instanceId: string) => void;
}

export function SendFrom({ text, sending, isQuote, onChoose }: SendFromProps) {
  const texts = useTexts(composerTexts);
  const { conversation: group } = useTexts(conversationTexts);
  const field = useRef<HTMLSelectElement>(null);
  const open = () => {
    field.current?.focus();
    // Some browsers have no choices that a script may open, and refuse those of a field that is not shown.
    try {
      field.current?.showPicker();
    } catch {
      // The focus is there: the keyboard opens them.
    }
  };
  useCommands(isQuote ? [] : [{ id: 'send-from', title: texts.sendFrom, group, run: open }]);
  const { instances, isKnown, instance, instanceId } = sending;
  return (
    <div className={styles.from}>
      <select
        ref={field}
        aria-label={texts.sendFrom}
        // A narrow field shows its beginning alone.
        title={[...(instance === undefined ? [] : [labelOf(instance)]), ...(isQuote ? [texts.byQuote] : [])].join('. ')}
        value={instanceId ?? ''}
        disabled={isQuote || instances.length === 0}
        onChange={({ target }) => onChoose(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && text.current?.focus()}
      >
        {instance === undefined && <option value={instanceId ?? ''}>–</option>}
        {instances.map((one) => (
          <option key={one.id} value={one.id}>
            {labelOf(one)}
          </option>
        ))}
      </select>
      {isKnown && instances.length === 0 && <small role="note">{texts.noInstance}</small>}
    </div>
  );
}

function labelOf({ instanceName, number, status }: Instance): string {
  const named = number === null ? instanceName : `${instanceName} · ${printNumber(number)}`;
  return connected.has(status) ? named : `${named} ⚠`;
}
