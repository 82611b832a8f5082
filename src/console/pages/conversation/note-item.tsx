// A note in the log. It is for colleagues and is never sent.

import { useState } from 'react';
import { ask } from '../../api/client.js';
import { explain } from '../../api/request-error.js';
import { useAction } from '../../api/use-action.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { useBegunNote } from '../../live/begun-notes.js';
import type { Note } from '../../live/conversation-store.js';
import { Button, IconButton } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextArea } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { Keys } from '../../parts/keys.js';
import { nameOf } from '../../parts/name-of.js';
import styles from './message.module.css';
import { AddNoteDocument, DeleteNoteDocument, UpdateNoteDocument } from './operations.js';
import { conversationTexts } from './texts.js';

const maxLength = 10_000;

interface NoteItemProps {
  note: Note;
  isActive: boolean;
  onChanged: () => void;
}

export function NoteItem({ note, isActive, onChanged }: NoteItemProps) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const { user } = useStore(sessionState);
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const canChange = user !== undefined && (user.role === 'ADMIN' || user.id === note.author.id);
  const author = nameOf(note.author);
  const time = formats.time(note.createdAt);
  const isEdited = note.updatedAt > note.createdAt;
  return (
    <section
      className={styles.note}
      aria-label={texts.noteOf(author, time)}
      tabIndex={isActive ? 0 : -1}
      data-message={note.id}
    >
      <header>
        <Icon name="note" size={16} />
        <strong>{author}</strong>
        <time dateTime={note.createdAt} title={formats.full(note.createdAt)}>
          {time}
        </time>
        {isEdited && <span>{texts.edited}</span>}
        {canChange && (
          <span className={styles.noteActions}>
            <IconButton
              icon="edit"
              label={texts.editNote}
              tabIndex={isActive ? 0 : -1}
              onClick={() => setOpen('edit')}
            />
            <IconButton
              icon="trash"
              label={texts.deleteNote}
              tabIndex={isActive ? 0 : -1}
              onClick={() => setOpen('delete')}
            />
          </span>
        )}
      </header>
      <p className={styles.text} dir="auto">
        {note.body}
      </p>
      {open === 'edit' && (
        <NoteDialog
          title={texts.editNote}
          initial={note.body}
          onClose={() => setOpen(undefined)}
          save={(body) => ask(UpdateNoteDocument, { id: note.id, body: body.trim() })}
          onChanged={onChanged}
        />
      )}
      {open === 'delete' && (
        <NoteDialog
          title={texts.deleteNote}
          onClose={() => setOpen(undefined)}
          save={() => ask(DeleteNoteDocument, { id: note.id })}
          onChanged={onChanged}
        />
      )}
    </section>
  );
}

export function AddNoteDialog({
  leadId,
  onClose,
  onChanged,
}: {
  leadId: string;
  onClose: () => void;
  onChanged: () => void;
}) {
  const texts = useTexts(conversationTexts);
  const { body: begun, write, save } = useBegunNote(leadId);
  return (
    <NoteDialog
      title={texts.addNote}
      initial={begun}
      onWrite={write}
      onClose={onClose}
      save={() => save((body) => ask(AddNoteDocument, { leadId, body }))}
      onChanged={onChanged}
    />
  );
}

interface NoteDialogProps {
  title: string;
  /** The note's text. Without it, the dialog asks for confirmation of the deletion. */
  initial?: string;
  save: (body: string) => Promise<unknown>;
  onWrite?: (body: string) => void;
  onClose: () => void;
  onChanged: () => void;
}

function NoteDialog({ title, initial, save, onWrite, onClose, onChanged }: NoteDialogProps) {
  const texts = useTexts(conversationTexts);
  const [own, setOwn] = useState(initial ?? '');
  // A begun note is one text for all dialogs of it: an earlier one may have saved its beginning meanwhile.
  const body = onWrite === undefined ? own : (initial ?? '');
  const { isBusy, error, start } = useAction(
    async () => {
      await save(body);
      onChanged();
    },
    { isForm: true, onDone: onClose },
  );
  const problem = error === undefined ? undefined : explain(error);
  const isText = initial !== undefined;
  const actions = (
    <>
      <Button onClick={onClose}>{texts.dismiss}</Button>
      <Button
        kind={isText ? 'primary' : 'danger'}
        isBusy={isBusy}
        disabled={isText && body.trim() === ''}
        onClick={() => void start()}
      >
        {isText ? texts.save : title}
        {isText && (
          <span aria-hidden>
            <Keys keys="$mod+Enter" />
          </span>
        )}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={title} actions={actions}>
      {isText ? (
        <TextArea
          label={texts.note}
          hint={texts.noteHint}
          error={problem}
          value={body}
          maxLength={maxLength}
          autoFocus
          dir="auto"
          // A begun note is written on at its end.
          onFocus={({ target }) => target.selectionEnd === 0 && target.setSelectionRange(body.length, body.length)}
          onChange={({ target }) => {
            setOwn(target.value);
            onWrite?.(target.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && body.trim() !== '') void start();
          }}
        />
      ) : (
        <p role={problem === undefined ? undefined : 'alert'}>{problem ?? texts.deleteNoteSure}</p>
      )}
    </Dialog>
  );
}
