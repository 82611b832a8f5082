// The lead stands beside the conversation from 1280 px on, and in a drawer over it in smaller windows.

import { lazy, Suspense, useEffect, useState } from 'react';
import { useCommands } from '../../app/commands.js';
import { Store, useStore } from '../../app/store.js';
import { useMedia } from '../../app/use-media.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';
import { Sheet } from '../../parts/dialog.js';
import styles from './lead-panel.module.css';
import { panelTexts } from './panel-texts.js';
import { conversationTexts } from './texts.js';

// The panel loads after the messages, which are what one waits for.
const LeadPanel = lazy(async () => {
  const { LeadPanel: component } = await import('./lead-panel.js');
  return { default: component };
});

const key = 'leadwire.panel';
const isShown = new Store(localStorage.getItem(key) !== 'hidden');
const isDrawn = new Store(false);

function show(isWanted: boolean): void {
  localStorage.setItem(key, isWanted ? 'shown' : 'hidden');
  isShown.set(isWanted);
}

/** Shows and hides the lead, and says whether it is here. */
export function useLeadBeside(): { isHere: boolean; toggle: () => void } {
  const isWide = useMedia('(min-width: 1280px)');
  const isWanted = useStore(isShown);
  return {
    isHere: isWide && isWanted,
    toggle: () => (isWide ? show(!isShown.value) : isDrawn.set(!isDrawn.value)),
  };
}

export function LeadBeside({ conversation, lead }: { conversation: Conversation; lead: ConversationLead }) {
  const texts = useTexts(panelTexts);
  const { isHere, toggle } = useLeadBeside();
  const isWide = useMedia('(min-width: 1280px)');
  const isOpen = useStore(isDrawn) && !isWide;
  const [isTagging, setTagging] = useState(false);
  const tag = () => {
    setTagging(true);
    if (!isHere && !isOpen) toggle();
  };
  useCommands([{ id: 'tag', title: texts.tagLead, group: useTexts(conversationTexts).conversation, run: tag }]);
  // A drawer belongs to the conversation that it was opened over.
  useEffect(() => () => isDrawn.set(false), []);
  const panel = (
    <Suspense>
      <LeadPanel
        key={lead.id}
        conversation={conversation}
        lead={lead}
        isDrawer={!isWide}
        isTagging={isTagging}
        onTagging={() => setTagging(false)}
        onHide={toggle}
      />
    </Suspense>
  );
  if (isHere) return panel;
  return (
    <Sheet isOpen={isOpen} onClose={() => isDrawn.set(false)} title={texts.lead} from="end">
      <div className={styles.drawer}>{panel}</div>
    </Sheet>
  );
}
