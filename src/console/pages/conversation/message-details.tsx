// The details of a message: its timeline with the provider's codes, its edits, and its destination.

import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { withReadableDates } from '../../i18n/dates-in-text.js';
import { useFormats } from '../../i18n/format.js';
import { localeOf, useLanguage, useTexts, type Language } from '../../i18n/language.js';
import type { ChatMessage } from '../../live/conversation-store.js';
import { Dialog } from '../../parts/dialog.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { Table } from '../../parts/table.js';
import { detailsTexts } from './details-texts.js';
import styles from './message.module.css';
import { MessageDetailsDocument, type MessageDetailsQuery } from './operations.js';
import { conversationTexts } from './texts.js';
import { statusOf } from './words.js';

type Details = NonNullable<MessageDetailsQuery['message']>;

export function MessageDetails({ message, onClose }: { message: ChatMessage; onClose: () => void }) {
  const texts = useTexts(conversationTexts);
  const names = useTexts(detailsTexts);
  // Each change of the status reads the details again.
  const key = `${message.id} ${message.status} ${message.editedAt}`;
  const { data, error, reload } = useLoaded(key, () => askAgain(MessageDetailsDocument, { id: message.id }));
  const found = data?.message;
  return (
    <Dialog isOpen onClose={onClose} title={texts.details} isWide>
      <div className={styles.details}>
        {message.error !== null && (
          <p className={styles.error}>
            {withReadableDates(message.error.message)} <code>{message.error.code}</code>
          </p>
        )}
        {statusOf(message) === 'unconfirmed' && <p>{texts.confirmSent}</p>}
        <dl>
          <Fact name={names.instance} value={message.instance.instanceName} />
          <Fact name={names.template} value={found?.template?.name ?? found?.channelTemplate?.name} />
          <Fact name={names.providerId} value={found?.externalId ?? undefined} />
        </dl>
        {found == null ? <Missing error={error} onRetry={reload} /> : <History {...found} />}
      </div>
    </Dialog>
  );
}

function Fact({ name, value }: { name: string; value: string | undefined }) {
  if (value === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Missing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return error === undefined ? <Loading /> : <LoadFailed error={error} onRetry={onRetry} />;
}

function History({ timeline, changes }: Details) {
  return (
    <>
      <Timeline timeline={timeline} />
      <Changes changes={changes} />
    </>
  );
}

const toTheSecond = (iso: string, language: Language) =>
  new Date(iso).toLocaleString(localeOf[language], { dateStyle: 'medium', timeStyle: 'medium' });

function Timeline({ timeline }: Pick<Details, 'timeline'>) {
  const texts = useTexts(conversationTexts);
  const names = useTexts(detailsTexts);
  const language = useLanguage();
  const columns = [names.at, names.status, names.source, names.code, names.detail].map((name) => ({ name }));
  if (timeline.length === 0) return null;
  return (
    <Table label={names.timeline} columns={columns}>
      {timeline.map(({ toStatus, source, providerCode, detail, occurredAt }) => (
        <tr key={`${toStatus} ${occurredAt}`}>
          <td>{toTheSecond(occurredAt, language)}</td>
          <td>{texts[toStatus.toLowerCase() as 'queued']}</td>
          <td>{source}</td>
          <td>{providerCode}</td>
          <td>{detail}</td>
        </tr>
      ))}
    </Table>
  );
}

function Changes({ changes }: Pick<Details, 'changes'>) {
  const names = useTexts(detailsTexts);
  const formats = useFormats();
  if (changes.length === 0) return null;
  return (
    <section>
      <h3>{names.changes}</h3>
      <ul>
        {changes.map(({ previousBody, occurredAt }) => (
          <li key={occurredAt}>
            <small>{formats.full(occurredAt)}</small> <span dir="auto">{previousBody}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
