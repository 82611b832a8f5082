// Asks for a period, reads the gateway's history for it, and shows the result.

import { useId, useState, type FormEvent } from 'react';
import { ask } from '../../api/client.js';
import { isSaidAtField, useAction } from '../../api/use-action.js';
import { appTexts } from '../../app/texts.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { toIso, toLocalTime } from '../../i18n/local-time.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { partTexts } from '../../parts/part-texts.js';
import { Progress } from '../../parts/progress.js';
import { historyTexts } from './history-texts.js';
import styles from './instances.module.css';
import { RecoverMessagesDocument, type RecoverMessagesMutation } from './operations.js';

const dayMs = 86_400_000;

interface RecoverDialogProps {
  instanceId: string;
  instanceName: string;
  onClose: () => void;
  /** Runs after the history was read. */
  onRead: () => void;
}

type Found = RecoverMessagesMutation['recoverMessages'];

export function RecoverDialog({ instanceId, instanceName, onClose, onRead }: RecoverDialogProps) {
  const texts = useTexts(historyTexts);
  const common = useTexts(partTexts);
  const app = useTexts(appTexts);
  const formId = useId();
  const [since, setSince] = useState(() => toLocalTime(new Date(Date.now() - dayMs).toISOString()));
  const [until, setUntil] = useState(() => toLocalTime(new Date(Date.now() + 60_000).toISOString()));
  const [found, setFound] = useState<Found>();
  const recover = useAction(
    async (variables: { since: string; until: string }) => {
      setFound((await ask(RecoverMessagesDocument, { instanceId, ...variables })).recoverMessages);
      onRead();
    },
    { isForm: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [from, to] = [toIso(since), toIso(until)];
    if (from !== undefined && to !== undefined) void recover.start({ since: from, until: to });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.recover}
      actions={
        <>
          <Button onClick={onClose}>{found === undefined ? common.cancel : app.close}</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={recover.isBusy}>
            {texts.read}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit}>
        <p className={styles.hint}>{texts.recoverHint(instanceName)}</p>
        <TextField
          label={texts.since}
          type="datetime-local"
          required
          value={since}
          onChange={({ target }) => setSince(target.value)}
          error={recover.problemOf('since')}
        />
        <TextField
          label={texts.until}
          type="datetime-local"
          required
          value={until}
          onChange={({ target }) => setUntil(target.value)}
          error={recover.problemOf('until')}
        />
        {recover.isBusy && <Progress label={texts.reading} text={texts.reading} />}
        <FormError error={isSaidAtField(recover.error) ? undefined : recover.error} />
        {found !== undefined && !recover.isBusy && <Result found={found} onGoOn={setSince} />}
      </form>
    </Dialog>
  );
}

function Result({ found, onGoOn }: { found: Found; onGoOn: (since: string) => void }) {
  const texts = useTexts(historyTexts);
  const formats = useFormats();
  const { atGateway, here, recovered, unexplained, statuses, isComplete, to } = found;
  const [all, known, news, others] = [atGateway, here, recovered, unexplained].map((count) => formats.number(count));
  return (
    <div role="status">
      <p>{texts.found(all ?? '', known ?? '', news ?? '', others ?? '')}</p>
      {statuses > 0 && <p>{texts.statuses(formats.number(statuses))}.</p>}
      {!isComplete && (
        <p>
          {texts.cameTo(formats.full(to))} <Button onClick={() => onGoOn(toLocalTime(to))}>{texts.goOn}</Button>
        </p>
      )}
    </div>
  );
}
