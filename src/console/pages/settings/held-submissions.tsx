// Submissions of a lead source that wait for a number: each is completed with one, or dismissed.

import { useCallback, useEffect, useState } from 'react';
import { ask } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
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
} from './operations.js';
import type { HeldSubmissionListQuery } from './operations.js';
import styles from './settings.module.css';

type Held = HeldSubmissionListQuery['heldSubmissions']['edges'][number]['node'];

const pageSize = 20;

export function HeldSubmissions({ sourceId, onChanged }: { sourceId: string; onChanged: () => void }) {
  const texts = useTexts(heldTexts);
  const [held, setHeld] = useState<readonly Held[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const read = useAction(
    useCallback(
      async (after: string | null) => {
        const { edges, pageInfo } = (await ask(HeldSubmissionListDocument, { sourceId, first: pageSize, after }))
          .heldSubmissions;
        const nodes = edges.map(({ node }) => node);
        setHeld((before) => (after === null ? nodes : [...before, ...nodes]));
        setNext(pageInfo.hasNextPage ? pageInfo.endCursor : null);
      },
      [sourceId],
    ),
  );
  const { start } = read;
  useEffect(() => void start(null), [start]);
  const remove = (id: string) => {
    setHeld((before) => before.filter((one) => one.id !== id));
    onChanged();
  };
  return (
    <>
      <p className={styles.hint}>{texts.hint}</p>
      <ul className={styles.cards}>
        {held.map((one) => (
          <HeldSubmission key={one.id} held={one} onDone={() => remove(one.id)} />
        ))}
      </ul>
      {next !== null && (
        <Button kind="quiet" isBusy={read.isBusy} onClick={() => void start(next)}>
          {texts.more}
        </Button>
      )}
      <FormError error={read.error} />
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
          <Button kind="primary" type="submit" isBusy={complete.isBusy}>
            {texts.complete}
          </Button>
          <Button onClick={() => setIsDismissing(true)}>{texts.dismiss}</Button>
        </div>
        <FormError error={complete.error} />
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
