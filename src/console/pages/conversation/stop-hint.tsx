// A hint that a lead may want no more messages. The user decides: the button opens the dialog that asks for the reason.

import { lazy, Suspense, useState } from 'react';
import { ask } from '../../api/client.js';
import { useTexts } from '../../i18n/language.js';
import type { ChatMessage } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';
import { Button } from '../../parts/button.js';
import styles from './choice.module.css';
import { OptOutInConversationDocument } from './operations.js';
import { conversationTexts } from './texts.js';

// The dialog loads separately from the page, because few conversations need it.
const ReasonDialog = lazy(async () => {
  const { ReasonDialog: component } = await import('../../parts/reason-dialog.js');
  return { default: component };
});

const maxQuoted = 200;

interface StopHintProps {
  leadId: string;
  message: ChatMessage;
  isActive: boolean;
  conversation: Conversation;
}

export function StopHint({ leadId, message, isActive, conversation }: StopHintProps) {
  const texts = useTexts(conversationTexts);
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles.stop}>
      <span>{texts.mayWantToStop}</span>
      <Button tabIndex={isActive ? 0 : -1} onClick={() => setAsking(true)}>
        {texts.optOut}
      </Button>
      {isAsking && (
        <Suspense>
          <ReasonDialog
            title={texts.optOutTitle}
            suggestedReason={texts.wrote((message.body ?? '').slice(0, maxQuoted))}
            decide={async (reason) => {
              await ask(OptOutInConversationDocument, { id: leadId, reason });
              await conversation.readLead();
            }}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
