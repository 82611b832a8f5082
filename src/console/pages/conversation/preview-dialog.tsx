// A preview of the message in the composer: its text, instance and sending time. It is read when the dialog opens.

import { askAgain } from '../../api/client.js';
import { RequestError, explain } from '../../api/request-error.js';
import { useLoaded } from '../../api/use-loaded.js';
import type { SendMessageInput } from '../../api/operations.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Loading } from '../../parts/status-of-load.js';
import { composerTexts } from './composer-texts.js';
import styles from './composer-dialog.module.css';
import { PreviewToSendDocument, type PreviewToSendQuery } from './operations.js';
import { leavingOf } from './preview-leaving.js';

interface PreviewDialogProps {
  input: SendMessageInput;
  onClose: () => void;
}

export function PreviewDialog({ input, onClose }: PreviewDialogProps) {
  const texts = useTexts(composerTexts);
  const { data, error, isLoading, reload } = useLoaded(JSON.stringify(input), async () => {
    const { previewMessage } = await askAgain(PreviewToSendDocument, { input });
    return { preview: previewMessage, leaving: leavingOf(previewMessage, Date.now()) };
  });
  const actions = (
    <Button icon="refresh" isBusy={isLoading} onClick={reload}>
      {texts.readAgain}
    </Button>
  );
  return (
    <Dialog isOpen onClose={onClose} title={texts.previewMessage} actions={actions}>
      <div className={styles.templates}>
        {data === undefined && error === undefined && <Loading />}
        {error !== undefined ? <Refusal error={error} /> : data && <Shown {...data} />}
      </div>
    </Dialog>
  );
}

function Refusal({ error }: { error: unknown }) {
  const texts = useTexts(composerTexts);
  const code = error instanceof RequestError ? error.code : undefined;
  const known = code === 'OPTED_OUT' ? texts.optedOut : code === 'WINDOW_CLOSED' ? texts.windowClosedNow : undefined;
  return (
    <div role="alert">
      <p>{texts.wouldBeRefused}</p>
      <p>{known ?? explain(error)}</p>
    </div>
  );
}

interface ShownProps {
  preview: PreviewToSendQuery['previewMessage'];
  leaving: ReturnType<typeof leavingOf>;
}

function Shown({ preview, leaving }: ShownProps) {
  const texts = useTexts(composerTexts);
  const formats = useFormats();
  const { body, caption, instance, window, optOut, waitingDetail, estimatedSendAt } = preview;
  const time = estimatedSendAt === null ? texts.leavesUnknown : texts.leavesAbout(formats.full(estimatedSendAt));
  return (
    <>
      <section aria-label={texts.preview} className={styles.preview} dir="auto">
        {caption ?? body ?? texts.onlyFile}
      </section>
      <dl className={styles.facts}>
        <dt>{texts.sendFrom}</dt>
        <dd>{instance.instanceName}</dd>
        <dt>{texts.leaves}</dt>
        <dd>
          {leaving === 'now' ? texts.leavesAtOnce : time}
          {leaving !== 'now' && waitingDetail !== null && <small>{waitingDetail}</small>}
        </dd>
        {window?.closesAt != null && (
          <>
            <dt>{texts.window}</dt>
            <dd>{texts.windowUntil(formats.full(window.closesAt))}</dd>
          </>
        )}
      </dl>
      {optOut !== null && <p>{texts.optedOut}</p>}
    </>
  );
}
