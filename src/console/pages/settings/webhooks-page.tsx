// The endpoints that receive the tenant's events, with their secrets and deliveries.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useCommands } from '../../app/commands.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { CopyText } from '../../parts/copy-text.js';
import { Dialog } from '../../parts/dialog.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Page } from '../../parts/page.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { AdminSection } from './admin-section.js';
import { EndpointCard } from './endpoint-card.js';
import { EndpointForm } from './endpoint-form.js';
import { WebhookEndpointsDocument, type EndpointRowFragment } from './operations.js';
import { useSettingsCount } from './settings-counts.js';
import styles from './settings.module.css';
import { webhooksTexts } from './webhooks-texts.js';

export function WebhooksPage() {
  return <AdminSection>{() => <Webhooks />}</AdminSection>;
}

function Webhooks() {
  const texts = useTexts(webhooksTexts);
  const navigate = useNavigate();
  const { id: openId } = useSearch({ from: '/signed-in/settings/webhooks' });
  const [form, setForm] = useState<{ endpoint?: EndpointRowFragment }>();
  const [secret, setSecret] = useState<string>();
  const { data, error, reload, change } = useLoaded(
    'endpoints',
    async () => (await askAgain(WebhookEndpointsDocument)).webhookEndpoints,
  );
  useSettingsCount('webhooks', data?.length);
  const onChanged = (endpoint: EndpointRowFragment, newSecret?: string) => {
    change((all) => {
      const isKnown = all.some(({ id }) => id === endpoint.id);
      return isKnown ? all.map((one) => (one.id === endpoint.id ? endpoint : one)) : [...all, endpoint];
    });
    if (newSecret !== undefined) setSecret(newSecret);
  };
  const open = (id: string | undefined) =>
    void navigate({ to: '/settings/webhooks', search: id === undefined ? {} : { id } });
  useCommands([{ id: 'add-endpoint', title: texts.add, group: texts.webhooks, run: () => setForm({}) }]);
  const addButton = (
    <Button kind="primary" icon="plus" onClick={() => setForm({})}>
      {texts.add}
    </Button>
  );
  return (
    <Page title={texts.webhooks} actions={data === undefined || data.length === 0 ? undefined : addButton}>
      {data === undefined && (error === undefined ? <Loading /> : <LoadFailed error={error} onRetry={reload} />)}
      {data?.length === 0 && (
        <EmptyState title={texts.none} hint={texts.noneHint}>
          {addButton}
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <>
          <p className={styles.hint}>{texts.intro}</p>
          <ul className={styles.cards}>
            {data.map((endpoint) => (
              <EndpointCard
                key={endpoint.id}
                endpoint={endpoint}
                isOpen={endpoint.id === openId}
                onToggle={() => open(endpoint.id === openId ? undefined : endpoint.id)}
                onEdit={() => setForm({ endpoint })}
                onChanged={onChanged}
                onDeleted={() => change((all) => all.filter(({ id }) => id !== endpoint.id))}
              />
            ))}
          </ul>
        </>
      )}
      {form !== undefined && <EndpointForm {...form} onClose={() => setForm(undefined)} onSaved={onChanged} />}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  );
}

/** Shows the secret, which the API returns only once. */
function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const texts = useTexts(webhooksTexts);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.secretTitle}
      actions={
        <Button kind="primary" onClick={onClose}>
          {texts.secretDone}
        </Button>
      }
    >
      <CopyText label={texts.secret} value={secret} hint={texts.secretHint} />
    </Dialog>
  );
}
