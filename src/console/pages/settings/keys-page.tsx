// The tenant's API key. It is hidden until requested, and a replacement has a period in which both keys work.

import { useState } from 'react';
import { ask } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useCommands } from '../../app/commands.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { CopyText } from '../../parts/copy-text.js';
import { Select } from '../../parts/field.js';
import { notify } from '../../parts/notices.js';
import { Page } from '../../parts/page.js';
import { AdminSection } from './admin-section.js';
import { keysTexts } from './keys-texts.js';
import { ApiKeyDocument, RotateApiKeyDocument } from './operations.js';
import styles from './settings.module.css';

const hour = 3_600;
const graces = [
  { seconds: 0, text: 'graceNone' },
  { seconds: hour, text: 'graceHour' },
  { seconds: 24 * hour, text: 'graceDay' },
  { seconds: 168 * hour, text: 'graceWeek' },
] as const;

export function KeysPage() {
  return <AdminSection>{(tenantId) => <Keys tenantId={tenantId} />}</AdminSection>;
}

function Keys({ tenantId }: { tenantId: string }) {
  const texts = useTexts(keysTexts);
  const formats = useFormats();
  const [apiKey, setApiKey] = useState<string>();
  const [overlapUntil, setOverlapUntil] = useState<string>();
  const [askedAt, setAskedAt] = useState<number>();
  const [grace, setGrace] = useState<number>(24 * hour);
  const show = useAction(async () => setApiKey((await ask(ApiKeyDocument, { id: tenantId })).tenant?.apiKey));
  const rotate = async () => {
    const { rotateTenantApiKey } = await ask(RotateApiKeyDocument, { id: tenantId, graceSeconds: grace });
    setApiKey(rotateTenantApiKey.apiKey);
    setOverlapUntil(grace === 0 ? undefined : endsAt(Date.now(), grace));
    notify(texts.rotated);
  };
  useCommands([
    { id: 'show-key', title: texts.show, group: texts.keys, run: () => show.start() },
    { id: 'rotate-key', title: texts.rotate, group: texts.keys, run: () => setAskedAt(Date.now()) },
  ]);
  return (
    <Page title={texts.keys}>
      <section className={styles.section}>
        <p className={styles.hint}>{texts.intro}</p>
        {apiKey === undefined ? (
          <div className={styles.buttons}>
            <Button kind="primary" isBusy={show.isBusy} onClick={() => void show.start()}>
              {texts.show}
            </Button>
          </div>
        ) : (
          <div className={styles.form}>
            <CopyText label={texts.apiKey} value={apiKey} hint={texts.audited} />
            {overlapUntil !== undefined && <p>{texts.overlapUntil(formats.full(overlapUntil))}</p>}
            <div className={styles.buttons}>
              <Button isFlush onClick={() => setApiKey(undefined)}>
                {texts.hide}
              </Button>
            </div>
          </div>
        )}
        {apiKey === undefined && <small>{texts.audited}</small>}
      </section>
      <section className={styles.section}>
        <h2>{texts.danger}</h2>
        <p className={styles.hint}>{texts.dangerHint}</p>
        <div className={styles.buttons}>
          <Button isFlush kind="danger" icon="refresh" onClick={() => setAskedAt(Date.now())}>
            {texts.rotate}
          </Button>
        </div>
      </section>
      {askedAt !== undefined && (
        <ConfirmDialog
          title={texts.rotateTitle}
          text={texts.rotateText}
          confirmLabel={texts.rotate}
          onConfirm={rotate}
          onClose={() => setAskedAt(undefined)}
        >
          <div className={styles.choice}>
            <Select
              label={texts.grace}
              hint={grace === 0 ? texts.endsNow : texts.endsAt(formats.full(endsAt(askedAt, grace)))}
              value={String(grace)}
              onChoose={(seconds) => setGrace(Number(seconds))}
              options={graces.map(({ seconds, text }) => ({ value: String(seconds), label: texts[text] }))}
            />
          </div>
        </ConfirmDialog>
      )}
    </Page>
  );
}

function endsAt(from: number, seconds: number): string {
  return new Date(from + seconds * 1_000).toISOString();
}
