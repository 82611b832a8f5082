// The composer of an answer: text, files, quote, template, sending time, and the instance that sends it.

import { lazy, Suspense, useRef, useState, type ClipboardEvent, type KeyboardEvent, type RefObject } from 'react';
import type { ChannelTemplateInput } from '../../api/operations.js';
import { useCommands } from '../../app/commands.js';
import { useStore } from '../../app/store.js';
import { useMedia } from '../../app/use-media.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';
import { emptyDraft, type Draft } from '../../live/drafts.js';
import { drafts, heldSends } from '../../live/outgoing.js';
import { Button, IconButton } from '../../parts/button.js';
import { notify } from '../../parts/notices.js';
import { AboveText } from './above-text.js';
import { composerTexts } from './composer-texts.js';
import styles from './composer.module.css';
import type { QuickReplyFragment } from './operations.js';
import { toParts, toTemplatePart, type Part } from './outgoing-parts.js';
import { filesOfPaste } from './pasted-files.js';
import { PreviewDialog } from './preview-dialog.js';
import { filesOf } from './quick-reply-text.js';
import { fieldOfQuickReplies, QuickReplyList } from './quick-replies.js';
import { SendFrom } from './send-from.js';
import { TemplateDialog } from './template-dialog.js';
import { conversationTexts } from './texts.js';
import { TimeDialog } from './time-dialog.js';
import { uploadFiles, uploads } from './uploads.js';
import { useQuickReplies } from './use-quick-replies.js';
import { excessOf, type SendingInstance } from './use-sending-instance.js';
import { useRecording, type Recording } from './use-recording.js';
import { useTyping } from './use-typing.js';
import { voiceTexts } from './voice-texts.js';

// The picker and its data are loaded when it is opened for the first time.
const EmojiPicker = lazy(async () => {
  const { EmojiPicker: component } = await import('./emoji-picker.js');
  return { default: component };
});

interface ComposerProps {
  conversation: Conversation;
  lead: ConversationLead;
  field: RefObject<HTMLTextAreaElement | null>;
  sending: SendingInstance;
  isWindowClosed: boolean;
  onAnswering: (isAnswering: boolean) => void;
  onAddNote: () => void;
  /** Is called with the key of an answer that is to close its conversation. */
  onSentToClose: (key: string) => void;
}

export function Composer(props: ComposerProps) {
  const { lead, field, sending, isWindowClosed, onAnswering, onAddNote, onSentToClose } = props;
  const texts = useTexts(composerTexts);
  const conversationText = useTexts(conversationTexts);
  const [open, setOpen] = useState<Opened>();
  const picker = useRef<HTMLInputElement>(null);
  const emojiButton = useRef<HTMLButtonElement>(null);
  const recording = useRecording(lead.id, field, { isWindowClosed });
  const sender = useSender(props);
  const { draft, change, canSend, send } = sender;
  // A keyboard on the screen has no Shift+Enter: Enter starts a line there, and the button sends.
  const isTouch = useMedia('(hover: none) and (pointer: coarse)');
  const typing = useTyping(lead.id, isWindowClosed ? undefined : sending.instanceId);
  const [asked, setAsked] = useState<AskedReply>();
  const quickReplies = useQuickReplies({
    leadId: lead.id,
    text: draft.text,
    field,
    onInsert: (text, template) => change({ text, files: [...draft.files, ...filesOf(template, Date.now())] }),
    onAsk: (template, text, caret) => {
      change({ text });
      setAsked({ template, caret });
      setOpen('template');
    },
  });

  const sendAndClose = () => {
    const key = send({ closes: true });
    typing.stopped();
    if (key !== undefined) onSentToClose(key);
  };
  const toggle = (wanted: Opened) => setOpen(wanted === open ? undefined : wanted);
  const group = conversationText.conversation;
  useCommands([
    { id: 'reply', title: conversationText.reply, keys: 'r', group, run: () => field.current?.focus() },
    { id: 'send-and-close', title: texts.sendAndClose, keys: '$mod+Enter', group, run: sendAndClose },
    { id: 'template', title: texts.insertTemplate, group, run: () => setOpen('template') },
    // The palette closes first, and gives the focus back.
    { id: 'emoji', title: texts.insertEmoji, group, run: () => setTimeout(() => setOpen('emoji')) },
    { id: 'attach', title: texts.attach, group, run: () => picker.current?.click() },
    { id: 'preview', title: texts.previewMessage, group, run: () => canSend && setOpen('preview') },
    { id: 'schedule', title: texts.schedule, group, run: () => canSend && setOpen('schedule') },
    { id: 'note', title: conversationText.addNote, keys: 'n', group, run: onAddNote },
  ]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter belongs to the input method while a word is composed. Safari reports that only by the key code.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || quickReplies.onKeyDown(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.currentTarget.blur();
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey && !(isTouch && !event.ctrlKey)) {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) return sendAndClose();
      send();
      typing.stopped();
    }
  };
  const onText = (text: string) => {
    change({ text });
    onAnswering(text !== '');
    if (text === '') typing.stopped();
    else typing.typed();
  };
  const onLeave = () => {
    onAnswering(false);
    typing.stopped();
    quickReplies.close();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = filesOfPaste(event.clipboardData, texts.pastedPicture);
    if (files.length === 0) return;
    event.preventDefault();
    uploadFiles(lead.id, files);
  };

  return (
    <section className={styles.composer} aria-label={texts.composer}>
      <AboveText leadId={lead.id} sending={sending} draft={draft} onChange={change} />
      {recording.shown}
      <QuickReplyList quickReplies={quickReplies} />
      <textarea
        ref={field}
        {...fieldOfQuickReplies(quickReplies)}
        className={styles.text}
        aria-label={texts.message}
        placeholder={sending.instance === undefined ? texts.placeholder : texts.replyAs(sending.instance.instanceName)}
        rows={1}
        dir="auto"
        value={draft.text}
        onChange={({ target }) => {
          onText(target.value);
          quickReplies.follow(target);
        }}
        onSelect={({ currentTarget }) => quickReplies.follow(currentTarget)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={onLeave}
      />
      <Tools {...props} sender={sender} {...{ picker, emojiButton, recording }} onOpen={toggle} />
      {open !== undefined && (
        <Opening
          {...props}
          sender={sender}
          open={open}
          asked={asked}
          emojiButton={emojiButton}
          onClose={() => {
            setOpen(undefined);
            setAsked(undefined);
          }}
        />
      )}
    </section>
  );
}

/** Puts a text at the caret, in place of what is selected, as if it were typed. */
function insertAtCaret(field: HTMLTextAreaElement | null, text: string): void {
  // The field takes the text once the picker has given the focus back.
  requestAnimationFrame(() => {
    field?.focus();
    // Unlike a change of the value, this can be undone by the browser's own key.
    document.execCommand('insertText', false, text);
  });
}

type Opened = 'template' | 'preview' | 'schedule' | 'emoji';

/** A quick reply whose values the sender has to give, and the place of its text. */
interface AskedReply {
  template: QuickReplyFragment;
  caret: number;
}

type Sender = ReturnType<typeof useSender>;

/** Holds the draft and the actions that send it. */
function useSender({ conversation, lead, sending, isWindowClosed }: ComposerProps) {
  const texts = useTexts(composerTexts);
  const draft = useStore(drafts.all).get(lead.id) ?? emptyDraft;
  const { status, hasNewer } = useStore(conversation.messages.state);
  const isUploading = useStore(uploads).some(({ leadId }) => leadId === lead.id);
  const { instanceId } = sending;
  const isEmpty = draft.text.trim() === '' && draft.files.length === 0;
  const tooLongBy = excessOf(draft.text, sending);
  const isReady = status === 'ready' && !isUploading && !isWindowClosed && instanceId !== undefined;

  /** @returns the key of the first message; undefined if none is held */
  const hold = (parts: readonly Part[], closes = false): string | undefined => {
    if (hasNewer) {
      void conversation.messages.show();
      notify(texts.newestFirst);
      return undefined;
    }
    return heldSends.hold(lead.id, parts, conversation.messages.newestShownId, closes);
  };
  return {
    draft,
    canSend: isReady && !isEmpty && tooLongBy === 0,
    /** The first part of the draft, which files may split into several messages. */
    first: toParts(draft, { leadId: lead.id, instanceId, sendAt: undefined })[0]?.input,
    change: (changed: Partial<Draft>) => drafts.set(lead.id, { ...drafts.get(lead.id), ...changed }),
    /** @returns the key of the first message; undefined if none is held */
    send: ({ sendAt, closes }: { sendAt?: Date; closes?: boolean } = {}): string | undefined => {
      if (isUploading) notify(texts.stillUploading);
      if (!isReady || isEmpty || tooLongBy > 0) return undefined;
      const key = hold(toParts(draft, { leadId: lead.id, instanceId, sendAt }), closes);
      if (key !== undefined) drafts.set(lead.id, { ...emptyDraft, instanceId: draft.instanceId });
      return key;
    },
    sendTemplate: (template: ChannelTemplateInput, shown: string) => {
      hold([toTemplatePart(template, shown, { leadId: lead.id, instanceId })]);
    },
  };
}

interface ToolsProps extends ComposerProps {
  sender: Sender;
  picker: RefObject<HTMLInputElement | null>;
  emojiButton: RefObject<HTMLButtonElement | null>;
  recording: Recording;
  onOpen: (open: Opened) => void;
}

function Tools({ lead, field, sending, onAddNote, sender, picker, emojiButton, recording, onOpen }: ToolsProps) {
  const texts = useTexts(composerTexts);
  const conversationText = useTexts(conversationTexts);
  const voice = useTexts(voiceTexts);
  const { draft, change, canSend, send } = sender;
  return (
    <div className={styles.bar}>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          uploadFiles(lead.id, [...(target.files ?? [])]);
          target.value = '';
          field.current?.focus();
        }}
      />
      <IconButton icon="attach" label={texts.attach} onClick={() => picker.current?.click()} />
      <IconButton icon="mic" label={voice.record} disabled={recording.start === undefined} onClick={recording.start} />
      <IconButton
        ref={emojiButton}
        icon="smile"
        className={styles.roomy}
        label={texts.insertEmoji}
        aria-haspopup="dialog"
        onClick={() => onOpen('emoji')}
      />
      <IconButton icon="template" label={texts.insertTemplate} onClick={() => onOpen('template')} />
      <IconButton icon="note" label={conversationText.addNote} onClick={onAddNote} />
      <IconButton
        icon="eye"
        className={styles.roomy}
        label={texts.previewMessage}
        disabled={!canSend}
        onClick={() => onOpen('preview')}
      />
      <SendFrom
        sending={sending}
        isQuote={draft.quote !== undefined}
        onChoose={(instanceId) => change(sending.choice(instanceId))}
      />
      <Button
        kind="primary"
        icon="send"
        className={styles.send ?? ''}
        disabled={!canSend}
        onClick={() => {
          send();
          // The button is disabled once nothing is left to send, and loses the focus. Single keys would then act on the conversation.
          field.current?.focus();
        }}
      >
        {texts.send}
      </Button>
      <IconButton
        icon="clock"
        kind="primary"
        className={styles.later}
        label={texts.schedule}
        disabled={!canSend}
        onClick={() => onOpen('schedule')}
      />
    </div>
  );
}

interface OpeningProps extends ComposerProps {
  sender: Sender;
  open: Opened;
  asked: AskedReply | undefined;
  emojiButton: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Opening({ lead, field, sending, isWindowClosed, sender, open, asked, emojiButton, onClose }: OpeningProps) {
  const texts = useTexts(composerTexts);
  const { draft, change, send, sendTemplate, first } = sender;
  if (open === 'emoji')
    return (
      <Suspense>
        <EmojiPicker
          anchor={emojiButton}
          onChoose={(emoji) => {
            onClose();
            insertAtCaret(field.current, emoji);
          }}
          onClose={(isByKey) => {
            onClose();
            if (isByKey) requestAnimationFrame(() => field.current?.focus());
          }}
        />
      </Suspense>
    );
  if (open === 'preview') return first === undefined ? null : <PreviewDialog input={first} onClose={onClose} />;
  if (open === 'schedule')
    return (
      <TimeDialog
        title={texts.schedule}
        label={texts.when}
        confirm={texts.scheduleMessage}
        hasProposals
        onClose={onClose}
        onChoose={(at) => {
          send({ sendAt: at });
          requestAnimationFrame(() => field.current?.focus());
        }}
      />
    );
  return (
    <TemplateDialog
      leadId={lead.id}
      channelInstanceId={sending.hasChannelTemplates ? sending.instanceId : undefined}
      isWindowClosed={isWindowClosed}
      template={asked?.template}
      onClose={onClose}
      onInsert={(text, template) => {
        const behind = draft.text.trim() === '' ? text : `${draft.text.trimEnd()}\n${text}`;
        const caret = asked?.caret;
        change({
          text: caret === undefined ? behind : draft.text.slice(0, caret) + text + draft.text.slice(caret),
          files: [...draft.files, ...filesOf(template, Date.now())],
        });
        requestAnimationFrame(() => field.current?.focus());
      }}
      onSend={sendTemplate}
    />
  );
}
