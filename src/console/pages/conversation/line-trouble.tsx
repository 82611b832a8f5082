// Says at the composer that the instance that is to send cannot do so now. It offers another one, a try now, and what waits.

import { Link } from '@tanstack/react-router';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import type { Instance } from '../../api/use-instances.js';
import { Button } from '../../parts/button.js';
import { TryNow } from '../../parts/try-now.js';
import { Icon } from '../../parts/icon.js';
import styles from './composer.module.css';
import type { SendingInstance } from './use-sending-instance.js';
import { waitingTexts } from './waiting-texts.js';

/** The states in which messages can be sent. A degraded instance is connected. */
export const connected: ReadonlySet<string> = new Set(['CONNECTED', 'DEGRADED']);

/** True if what is sent through the instance leaves at once. */
function isWell({ status, pausedUntil, healthCode }: Instance): boolean {
  return connected.has(status) && pausedUntil === null && healthCode !== 'UNREACHABLE';
}

interface LineTroubleProps {
  sending: SendingInstance;
  /** A quote leaves through the instance of its message alone. */
  isQuote: boolean;
  onChoose: (instanceId: string) => void;
}

export function LineTrouble({ sending: { instance, instances }, isQuote, onChoose }: LineTroubleProps) {
  const texts = useTexts(waitingTexts);
  const formats = useFormats();
  if (instance === undefined || isWell(instance)) return null;
  const { id, instanceName: name, healthCode, degradedAt } = instance;
  const isUnreachable = healthCode === 'UNREACHABLE';
  const other = isQuote ? undefined : instances.find(isWell);
  return (
    <div role="note" className={styles.lineTrouble}>
      <Icon name="warning" />
      <p>
        <strong>
          {isUnreachable && degradedAt !== null
            ? texts.doesNotAnswer(name, formats.near(degradedAt))
            : texts.notConnected(name)}
        </strong>{' '}
        {texts.waitsHere}
      </p>
      <div className={styles.lineActs}>
        {isUnreachable && <TryNow instance={instance} kind="quiet" />}
        {isUnreachable && (
          <Link to="/instances" search={{ id }}>
            {texts.showWaiting}
          </Link>
        )}
        {other !== undefined && (
          <Button kind="quiet" onClick={() => onChoose(other.id)}>
            {texts.replyAsInstead(other.instanceName)}
          </Button>
        )}
      </div>
    </div>
  );
}
