// The ways for leads to come in: ads and forms with their own address, addresses for systems with the API key, and a form.

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { CopyButton, CopyText } from '../../parts/copy-text.js';
import { JsonText } from '../../parts/json-text.js';
import { Page } from '../../parts/page.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { AdminSection } from './admin-section.js';
import { LeadSourceList, useLeadSources } from './lead-source-list.js';
import { leadSourceTexts } from './lead-source-texts.js';
import { ApiKeyDocument, CompanyDocument } from './operations.js';
import styles from './settings.module.css';
import { sourcesTexts } from './sources-texts.js';
import { TryLead } from './try-lead.js';

const hiddenKey = '••••••••';

export function SourcesPage() {
  return <AdminSection>{(tenantId) => <Sources tenantId={tenantId} />}</AdminSection>;
}

function Sources({ tenantId }: { tenantId: string }) {
  const texts = useTexts(sourcesTexts);
  const ownTexts = useTexts(leadSourceTexts);
  const [apiKey, setApiKey] = useState<string>();
  const [isShown, setIsShown] = useState(false);
  const sources = useLeadSources();
  const readKey = async () => {
    if (apiKey !== undefined) return apiKey;
    const key = (await ask(ApiKeyDocument, { id: tenantId })).tenant?.apiKey ?? '';
    setApiKey(key);
    return key;
  };
  const show = useAction(async () => {
    await readKey();
    setIsShown(true);
  });
  const address = `${location.origin}/public/leads`;
  const example = (key: string) =>
    [
      `curl ${address} \\`,
      `  -H 'content-type: application/json' \\`,
      `  -H 'x-tenant-key: ${key}' \\`,
      `  -d '{"chat":"+55 11 98888-7777","name":"Ana","source":"site"}'`,
    ].join('\n');
  const shown = isShown && apiKey !== undefined;
  return (
    <Page
      title={texts.sources}
      actions={sources.data === undefined || sources.data.length === 0 ? undefined : sources.addButton}
    >
      <LeadSourceList sources={sources} />
      <section className={styles.section} aria-labelledby="by-key">
        <h2 id="by-key">{ownTexts.byKey}</h2>
        <p className={styles.hint}>{texts.intro}</p>
        <div className={styles.form}>
          <CopyText label={texts.publicAddress} value={address} hint={texts.publicHint} />
          <CopyText label={texts.webhookAddress} value={`${location.origin}/webhooks/leads`} hint={texts.webhookHint} />
          <SourceLabel tenantId={tenantId} />
        </div>
      </section>
      <section className={styles.section}>
        <h2>{texts.example}</h2>
        <p className={styles.hint}>{texts.exampleHint}</p>
        <JsonText label={texts.example} text={example(shown ? apiKey : hiddenKey)} />
        <div className={styles.buttons}>
          {shown ? (
            <>
              <CopyButton label={texts.example} value={example(apiKey)} />
              <Button onClick={() => setIsShown(false)}>{texts.hideKey}</Button>
            </>
          ) : (
            <Button isBusy={show.isBusy} onClick={() => void show.start()}>
              {texts.showKey}
            </Button>
          )}
        </div>
        <small>{texts.audited}</small>
      </section>
      <TryLead readKey={readKey} />
    </Page>
  );
}

function SourceLabel({ tenantId }: { tenantId: string }) {
  const texts = useTexts(sourcesTexts);
  const { data, error, reload } = useLoaded(
    tenantId,
    async () => (await askAgain(CompanyDocument, { id: tenantId })).tenant,
  );
  if (error !== undefined) return <LoadFailed error={error} onRetry={reload} />;
  if (data == null) return <Loading />;
  return (
    <p>
      {texts.label}: <strong dir="auto">{data.webhookSourceLabel ?? texts.noLabel('public', 'webhook')}</strong>{' '}
      <Link to="/settings">{texts.change}</Link>
    </p>
  );
}
