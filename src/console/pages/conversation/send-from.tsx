// The choice of the instance that will send the answer.

import { useTexts } from '../../i18n/language.js';
import { composerTexts } from './composer-texts.js';
import styles from './composer.module.css';
import { connected } from './line-trouble.js';
import type { SendingInstance } from './use-sending-instance.js';

interface SendFromProps {
  sending: SendingInstance;
  isQuote: boolean;
  onChoose: (instanceId: string) => void;
}

export function SendFrom({ sending, isQuote, onChoose }: SendFromProps) {
  const texts = useTexts(composerTexts);
  const { instances, isKnown, instance, instanceId } = sending;
  return (
    <div className={styles.from}>
      <select
        aria-label={texts.sendFrom}
        title={isQuote ? texts.byQuote : texts.sendFrom}
        value={instanceId ?? ''}
        disabled={isQuote || instances.length === 0}
        onChange={({ target }) => onChoose(target.value)}
      >
        {instance === undefined && <option value={instanceId ?? ''}>–</option>}
        {instances.map(({ id, instanceName, status }) => (
          <option key={id} value={id}>
            {connected.has(status) ? instanceName : `${instanceName} ⚠`}
          </option>
        ))}
      </select>
      {isKnown && instances.length === 0 && <small role="note">{texts.noInstance}</small>}
    </div>
  );
}
