// The composer of an answer: text, files, quote, template, sending time, and the instance that sends it.

import { useEffect, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent, type RefObject } from 'react';
import { useCommands, type Command } from '../../app/commands.js';
import { useIsPhone, useIsTouch } from '../../app/use-media.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';
import { Button, IconButton } from '../../parts/button.js';
import { AboveText, invalidNumberId, isDoubtful } from './above-text.js';
import { ComposerDialog, type AskedReply, type Opened } from './composer-dialog.js';
import { composerTexts } from './composer-texts.js';
import styles from './composer.module.css';
import { filesOfPaste } from './pasted-files.js';
import { filesOf } from './quick-reply-text.js';
import { fieldOfQuickReplies, QuickReplyList } from './quick-replies.js';
import { SendFrom } from './send-from.js';
import { conversationTexts } from './texts.js';
import { uploadFiles } from './uploads.js';
import { useQuickReplies } from './use-quick-replies.js';
import { useSender, type Sender } from './use-sender.js';
import type { SendingInstance } from './use-sending-instance.js';
import { useRecording, type Recording } from './use-recording.js';
import { useTyping } from './use-typing.js';
import { voiceTexts } from './voice-texts.js';

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
  const { conversation: group, reply, addNote } = useTexts(conversationTexts);
  const [open, setOpen] = useState<Opened>();
  const picker = useRef<HTMLInputElement>(null);
  const emojiButton = useRef<HTMLButtonElement>(null);
  const recording = useRecording(lead.id, field, { isWindowClosed });
  const sender = useSender(props);
  const { draft, change, canSend, send } = sender;
  // A keyboard on the screen has no Shift+Enter: Enter starts a line there, and the button sends.
  const isTouch = useIsTouch();
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
  const written: Command[] = [
    { id: 'preview', title: texts.previewMessage, group, run: () => setOpen('preview') },
    { id: 'schedule', title: texts.schedule, group, run: () => setOpen('schedule') },
  ];
  const toggle = (wanted: Opened) => setOpen(wanted === open ? undefined : wanted);
  useCommands([
    { id: 'reply', title: reply, keys: 'r', group, run: () => writeOn(field.current) },
    { id: 'send-and-close', title: texts.sendAndClose, keys: '$mod+Enter', group, run: sendAndClose },
    { id: 'template', title: texts.insertTemplate, group, run: () => setOpen('template') },
    // The palette closes first, and gives the focus back.
    { id: 'emoji', title: texts.insertEmoji, group, run: () => setTimeout(() => setOpen('emoji')) },
    { id: 'attach', title: texts.attach, group, run: () => picker.current?.click() },
    ...(canSend ? written : []),
    { id: 'note', title: addNote, keys: 'n', group, run: onAddNote },
  ]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter belongs to the input method while a word is composed. Safari reports that only by the key code.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || quickReplies.onKeyDown(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey && !(isTouch && !event.ctrlKey)) {
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
      <AboveText lead={lead} sending={sending} draft={draft} onChange={change} />
      {recording.shown}
      <QuickReplyList quickReplies={quickReplies} />
      <textarea
        ref={field}
        {...fieldOfQuickReplies(quickReplies)}
        className={styles.text}
        aria-label={texts.message}
        aria-describedby={isDoubtful(lead) ? invalidNumberId : undefined}
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
        <ComposerDialog
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

/** Keeps the end of a text that is being written in view when the window changes its size: a turned phone has room for fewer lines. */
function useEndInView(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const show = () => {
      const { current: text } = field;
      if (text === null || text !== document.activeElement || text.selectionStart !== text.value.length) return;
      text.scrollTop = text.scrollHeight;
    };
    addEventListener('resize', show);
    return () => removeEventListener('resize', show);
  }, [field]);
}

/** A kept draft is written on at its end, where a browser begins before it. A place that was chosen in it stays. */
export function writeOn(field: HTMLTextAreaElement | null): void {
  if (field === null) return;
  if (field.selectionEnd === 0) field.setSelectionRange(field.value.length, field.value.length);
  field.focus();
}

interface ToolsProps extends ComposerProps {
  sender: Sender;
  picker: RefObject<HTMLInputElement | null>;
  emojiButton: RefObject<HTMLButtonElement | null>;
  recording: Recording;
  onOpen: (open: Opened) => void;
}

function Tools(props: ToolsProps) {
  const { lead, field, sending, onAddNote, sender, picker, emojiButton, recording, onOpen } = props;
  const texts = useTexts(composerTexts);
  const conversationText = useTexts(conversationTexts);
  const voice = useTexts(voiceTexts);
  const isPhone = useIsPhone();
  const id = useId();
  // On a phone the tools stand folded behind a button, so that the composer is one row. Writing folds them again.
  const [isUnfolded, setUnfolded] = useState(false);
  useEffect(() => {
    const text = field.current;
    const fold = () => setUnfolded(false);
    text?.addEventListener('focus', fold);
    return () => text?.removeEventListener('focus', fold);
  }, [field]);
  useEndInView(field);
  const { draft, change, canSend, send } = sender;
  const schedule = (
    <IconButton
      icon="clock"
      {...(!isPhone && { kind: 'primary', className: styles.later })}
      label={texts.schedule}
      disabled={!canSend}
      onClick={() => onOpen('schedule')}
    />
  );
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
      {isPhone && (
        <IconButton
          icon={isUnfolded ? 'close' : 'plus'}
          label={texts.tools}
          aria-expanded={isUnfolded}
          aria-controls={id}
          className={styles.plus}
          onClick={() => setUnfolded(!isUnfolded)}
        />
      )}
      <div id={id} className={styles.tools} hidden={isPhone && !isUnfolded}>
        <IconButton icon="attach" label={texts.attach} onClick={() => picker.current?.click()} />
        <IconButton
          icon="mic"
          label={voice.record}
          disabled={recording.start === undefined}
          onClick={recording.start}
        />
        <IconButton
          ref={emojiButton}
          icon="smile"
          label={texts.insertEmoji}
          aria-haspopup="dialog"
          onClick={() => onOpen('emoji')}
        />
        <IconButton icon="template" label={texts.insertTemplate} onClick={() => onOpen('template')} />
        <IconButton icon="note" label={conversationText.addNote} onClick={onAddNote} />
        <IconButton icon="eye" label={texts.previewMessage} disabled={!canSend} onClick={() => onOpen('preview')} />
        {isPhone && schedule}
        <SendFrom
          text={field}
          sending={sending}
          isQuote={draft.quote !== undefined}
          onChoose={(instanceId) => change(sending.choice(instanceId))}
        />
      </div>
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
        <span>{texts.send}</span>
      </Button>
      {!isPhone && schedule}
    </div>
  );
}
