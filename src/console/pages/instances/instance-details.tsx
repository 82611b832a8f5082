// The details of an instance: addresses to copy, waiting messages, and its templates at Meta.

import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { CopyText } from '../../parts/copy-text.js';
import { LeadName } from '../../parts/phone-number.js';
import { providers } from '../../parts/providers.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { ChannelTemplates } from './channel-templates.js';
import { HistoryAudits } from './history-audits.js';
import styles from './instances.module.css';
import { InstanceDetailsDocument, WaitingMessagesDocument, type InstanceCardFragment } from './operations.js';
import { instancesTexts } from './texts.js';
import { useOutboxChanges } from './use-outbox-changes.js';

interface InstanceDetailsProps {
  instance: InstanceCardFragment;
  isAdmin: boolean;
  /** The number of edits on this page. A new edit reads the addresses again. */
  edits: number;
}

export function InstanceDetails({ instance, isAdmin, edits }: InstanceDetailsProps) {
  return (
    <div className={styles.details}>
      {isAdmin && <Addresses instance={instance} edits={edits} />}
      <Waiting instance={instance} />
      {providers[instance.provider]?.keepsHistory && (
        <HistoryAudits instanceId={instance.id} instanceName={instance.instanceName} isAdmin={isAdmin} />
      )}
      {providers[instance.provider]?.hasTemplates && <ChannelTemplates instanceId={instance.id} />}
    </div>
  );
}

function Addresses({ instance, edits }: { instance: InstanceCardFragment; edits: number }) {
  const { id, provider, status } = instance;
  const texts = useTexts(instancesTexts);
  const formats = useFormats();
  const { data, error, reload } = useLoaded(
    `details ${id}`,
    async () => (await askAgain(InstanceDetailsDocument, { id })).chatInstance,
  );
  useEffect(reload, [status, edits]);
  if (error !== undefined) return <LoadFailed error={error} onRetry={reload} />;
  if (data == null) return <Loading />;
  const { isMeta, signsCalls } = providers[provider] ?? {};
  const webhook = `${location.origin}/webhooks/chat/${isMeta ? `cloud/${id}` : 'gateway/inbound'}`;
  return (
    <section className={styles.section}>
      <h3>{texts.addresses}</h3>
      <CopyText
        label={texts.webhookAddress}
        value={webhook}
        hint={isMeta ? texts.metaHint : signsCalls ? texts.signedHint : texts.keyHint}
      />
      {data.webhookVerifyToken !== null && <CopyText label={texts.verifyToken} value={data.webhookVerifyToken} />}
      {isMeta && data.webhookVerifyToken === null && <p className={styles.pause}>{texts.noWebhookSecret}</p>}
      <dl className={styles.facts}>
        <dt>{texts.baseUrl}</dt>
        <dd>{data.baseUrl ?? (isMeta ? texts.metaAddress : texts.sharedGateway)}</dd>
        <dt>{texts.accountLabel}</dt>
        <dd dir="auto">{instance.account.name}</dd>
        <dt>{texts.token}</dt>
        <dd>{data.hasToken ? texts.ownToken : texts.noToken}</dd>
        <dt>{texts.created}</dt>
        <dd>{formats.full(data.createdAt)}</dd>
        <dt>{texts.updated}</dt>
        <dd>{formats.full(data.updatedAt)}</dd>
      </dl>
      <p>
        <Link to="/settings/audit" search={{ target: id }}>
          {texts.history}
        </Link>
      </p>
    </section>
  );
}

function Waiting({ instance }: { instance: InstanceCardFragment }) {
  const { id, status, pausedUntil } = instance;
  const texts = useTexts(instancesTexts);
  const formats = useFormats();
  const { data, error, reload } = useLoaded(
    `waiting ${id}`,
    async () => (await askAgain(WaitingMessagesDocument, { id })).allMessages.edges,
  );
  useEffect(reload, [status, pausedUntil]);
  useOutboxChanges(id, reload);
  if (error !== undefined) return <LoadFailed error={error} onRetry={reload} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3>{texts.firstWaiting}</h3>
      <ul className={styles.waiting}>
        {data.map(({ node }) => (
          <li key={node.id}>
            <Link to="/inbox/$leadId" params={{ leadId: node.lead.id }} search={{ message: node.id }} dir="auto">
              <LeadName name={node.lead.name} />
            </Link>
            <span dir="auto" className={styles.excerpt}>
              {node.body}
            </span>
            <small>
              {node.waitingReason === null ? texts.leaves : texts[node.waitingReason]}
              {node.estimatedSendAt !== null && ` · ${texts.about(formats.full(node.estimatedSendAt))}`}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
