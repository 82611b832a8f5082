// Why a message has not left yet, when it leaves or is tried again, and the button that cancels it.

import { ask } from '../../api/client.js';
import { withReadableDates } from '../../i18n/dates-in-text.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import type { ChatMessage } from '../../live/conversation-store.js';
import { Button } from '../../parts/button.js';
import styles from './message.module.css';
import { CancelMessageDocument } from './operations.js';
import { conversationTexts } from './texts.js';
import { useCall } from './use-call.js';
import type { Waiting } from './use-waiting.js';
import { waitingTexts } from './waiting-texts.js';

export function MessageWaiting({ message, waiting }: { message: ChatMessage; waiting: Waiting | undefined }) {
  const { id, scheduledFor, instance } = message;
  const texts = useTexts(conversationTexts);
  const reasons = useTexts(waitingTexts);
  const formats = useFormats();
  const place = waiting?.queuePosition ?? 0;
  const at = waiting?.estimatedSendAt ?? scheduledFor;
  const reason = waiting?.waitingReason ?? 'SCHEDULED';
  const words = reason === 'SCHEDULED' || reason === 'IN_QUEUE' ? '' : reasons[reason];
  const isTriedAgain = reason === 'GATEWAY_UNREACHABLE' || reason === 'RETRY';
  const leaves = isTriedAgain ? reasons.nextTry : scheduledFor === null ? texts.leavesAbout : texts.leaves;
  return (
    <div className={styles.trouble} data-late={isTriedAgain || undefined}>
      <p title={waiting?.waitingDetail == null ? undefined : withReadableDates(waiting.waitingDetail)}>
        {typeof words === 'string' ? words : words(instance.instanceName)}{' '}
        {reason === 'IN_QUEUE' && place > 0 && `${texts.before(formats.number(place))}. `}
        {at != null && leaves(formats.near(at))}
      </p>
      <CancelButton id={id} />
    </div>
  );
}

export function CancelButton({ id }: { id: string }) {
  const texts = useTexts(conversationTexts);
  const { isBusy, run } = useCall();
  return (
    <Button kind="quiet" isBusy={isBusy} onClick={() => run(() => ask(CancelMessageDocument, { id }))}>
      {texts.cancel}
    </Button>
  );
}
