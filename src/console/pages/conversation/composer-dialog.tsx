// The dialogs that the composer opens over itself: templates, preview, sending time, and the choice of an emoji.

import { lazy, Suspense, useLayoutEffect, useRef, type RefObject } from 'react';
import { insertText, typeAhead } from '../../app/typed-ahead.js';
import { useIsTouch } from '../../app/use-media.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import { drafts } from '../../live/outgoing.js';
import { composerTexts } from './composer-texts.js';
import type { QuickReplyFragment } from './operations.js';
import type { EmojiPickerProps } from './emoji-picker.js';
import { PreviewDialog } from './preview-dialog.js';
import { filesOf } from './quick-reply-text.js';
import { TemplateDialog } from './template-dialog.js';
import { TimeDialog } from './time-dialog.js';
import type { Sender } from './use-sender.js';
import type { SendingInstance } from './use-sending-instance.js';

let isEmojiHere = false;

// The picker and its data are loaded when it is opened for the first time.
const EmojiPicker = lazy(async () => {
  const { EmojiPicker: component } = await import('./emoji-picker.js');
  isEmojiHere = true;
  return { default: component };
});

export type Opened = 'template' | 'preview' | 'schedule' | 'emoji';

/** A quick reply whose values the sender has to give, and the place of its text. */
export interface AskedReply {
  template: QuickReplyFragment;
  caret: number;
}

interface ComposerDialogProps {
  lead: ConversationLead;
  field: RefObject<HTMLTextAreaElement | null>;
  sending: SendingInstance;
  isWindowClosed: boolean;
  sender: Sender;
  open: Opened;
  asked: AskedReply | undefined;
  emojiButton: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

export function ComposerDialog({
  lead,
  field,
  sending,
  isWindowClosed,
  sender,
  open,
  asked,
  emojiButton,
  onClose,
}: ComposerDialogProps) {
  const texts = useTexts(composerTexts);
  const { change, send, sendTemplate, first } = sender;
  // After a choice the operator writes on. A dialog that is only closed returns to the button that opened it.
  const isChosen = useRef(false);
  const returnTo = () => (isChosen.current ? field.current : null);
  if (open === 'emoji')
    return (
      <Emoji
        anchor={emojiButton}
        onChoose={(emoji) => {
          field.current?.focus();
          insertText(emoji);
          onClose();
        }}
        onClose={(isByKey) => {
          if (isByKey) field.current?.focus();
          onClose();
        }}
      />
    );
  if (open === 'preview') return first === undefined ? null : <PreviewDialog input={first} onClose={onClose} />;
  if (open === 'schedule')
    return (
      <TimeDialog
        title={texts.schedule}
        label={texts.when}
        confirm={texts.scheduleMessage}
        hasProposals
        returnTo={returnTo}
        onClose={onClose}
        onChoose={(at) => {
          isChosen.current = send({ sendAt: at }) !== undefined;
          return isChosen.current;
        }}
      />
    );
  return (
    <TemplateDialog
      lead={lead}
      channelInstanceId={sending.hasChannelTemplates ? sending.instanceId : undefined}
      isWindowClosed={isWindowClosed}
      template={asked?.template}
      returnTo={returnTo}
      onClose={onClose}
      onInsert={(text, template) => {
        isChosen.current = true;
        // An upload may have ended since the button was pressed.
        const now = drafts.get(lead.id);
        const behind = now.text.trim() === '' ? text : `${now.text.trimEnd()}\n${text}`;
        const caret = asked?.caret;
        change({
          text: caret === undefined ? behind : now.text.slice(0, caret) + text + now.text.slice(caret),
          files: [...now.files, ...filesOf(template, Date.now())],
        });
      }}
      onSend={(...sent) => {
        isChosen.current = sendTemplate(...sent);
        return isChosen.current;
      }}
    />
  );
}

function Emoji(props: EmojiPickerProps) {
  const texts = useTexts(composerTexts);
  const isTouch = useIsTouch();
  useLayoutEffect(() => {
    if (!isEmojiHere && !isTouch) return typeAhead(texts.insertEmoji, () => props.onClose(true));
    return undefined;
  }, []);
  return (
    <Suspense>
      <EmojiPicker {...props} />
    </Suspense>
  );
}
