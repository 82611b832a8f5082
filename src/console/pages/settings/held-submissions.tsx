// A lead source's submissions without a number. The user completes each with a number, or dismisses it.

import { useRef, useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { isSaidAtField, useAction } from '../../api/use-action.js';
import { usePages } from '../../api/use-pages.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { notify } from '../../parts/notices.js';
import { heldTexts } from './held-texts.js';
import {
  CompleteHeldSubmissionDocument,
  DismissHeldSubmissionDocument,
  HeldSubmissionListDocument,
  type HeldSubmissionListQuery,
} from './operations.js';
import styles from './settings.module.css';

type Held = HeldSubmissionListQuery['heldSubmissions']['edges'][number]['node'];

const pageSize = 20;

export function HeldSubmissions({ sourceId, onChanged }: { sourceId: string; onChanged: () => void }) {
  const texts = useTexts(heldTexts);
  const list = useRef<HTMLUListElement>(null);
  const { nodes, error, hasMore, isLoading, loadMore, change } = usePages<Held>(
    sourceId,
    async (after) =>
      (await askAgain(HeldSubmissionListDocument, { sourceId, first: pageSize, after: after ?? null })).heldSubmissions,
  );
  const remove = (id: string) => {
    change((held) => held.filter((one) => one.id !== id));
    // The focused element was removed.
    list.current?.focus();
    onChanged();
  };
  return (
    <>
      <p className={styles.hint}>{texts.hint}</p>
      <ul className={styles.cards} ref={list} tabIndex={-1} aria-label={texts.list}>
        {nodes.map((one) => (
          <HeldSubmission key={one.id} held={one} onDone={() => remove(one.id)} />
        ))}
      </ul>
      {hasMore && (
        <Button kind="quiet" isBusy={isLoading} onClick={loadMore}>
          {texts.more}
        </Button>
      )}
      <FormError error={error} />
    </>
  );
}

function HeldSubmission({ held, onDone }: { held: Held; onDone: () => void }) {
  const texts = useTexts(heldTexts);
  const formats = useFormats();
  const [chat, setChat] = useState('');
  const [isDismissing, setIsDismissing] = useState(false);
  const { id, name, email, writtenNumber, createdAt } = held;
  const complete = useAction(
    async () => {
      await ask(CompleteHeldSubmissionDocument, { id, chat: chat.trim() });
      notify(texts.completed);
      onDone();
    },
    { isForm: true },
  );
  return (
    <li className={styles.card}>
      <p dir="auto">
        {name === null ? email : `${name} · ${email}`}
        <br />
        <span className={styles.hint}>
          {formats.full(createdAt)}
          {writtenNumber !== null && ` · ${texts.written(writtenNumber)}`}
        </span>
      </p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void complete.start();
        }}
      >
        <TextField
          label={texts.number(email)}
          required
          type="tel"
          value={chat}
          onChange={({ target }) => setChat(target.value)}
          error={complete.problemOf('chat')}
        />
        <div className={styles.buttons}>
          <Button type="submit" isBusy={complete.isBusy}>
            {texts.complete}
          </Button>
          <Button kind="quiet" onClick={() => setIsDismissing(true)}>
            {texts.dismiss}
          </Button>
        </div>
        {!isSaidAtField(complete.error) && <FormError error={complete.error} />}
      </form>
      {isDismissing && (
        <ConfirmDialog
          title={texts.dismissTitle}
          text={texts.dismissText}
          confirmLabel={texts.dismiss}
          onConfirm={async () => {
            await ask(DismissHeldSubmissionDocument, { id });
            onDone();
          }}
          onClose={() => setIsDismissing(false)}
        />
      )}
    </li>
  );
}
