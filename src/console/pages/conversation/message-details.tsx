// What became of a message: its timeline with the provider's codes, its edits, where it went.

import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import type { ChatMessage } from '../../live/conversation-store.js';
import { Dialog } from '../../parts/dialog.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { Table } from '../../parts/table.js';
import styles from './message.module.css';
import { MessageDetailsDocument } from './operations.js';
import { conversationTexts } from './texts.js';
import { statusOf } from './words.js';

export function MessageDetails({ message, onClose }: { message: ChatMessage; onClose: () => void }) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  // Read again whenever its status changes.
  const key = `${message.id} ${message.status} ${message.editedAt}`;
  const { data, error, reload } = useLoaded(key, () => askAgain(MessageDetailsDocument, { id: message.id }));
  const found = data?.message;
  const columns = [texts.at, texts.status, texts.source, texts.code, texts.detail].map((name) => ({ name }));
  return (
    <Dialog isOpen onClose={onClose} title={texts.details} isWide>
      <div className={styles.details}>
        {message.error !== null && (
          <p className={styles.error}>
            {message.error.message} <code>{message.error.code}</code>
          </p>
        )}
        {statusOf(message) === 'unconfirmed' && <p>{texts.confirmSent}</p>}
        <dl>
          <Fact name={texts.instance} value={message.instance.instanceName} />
          <Fact name={texts.template} value={found?.template?.name ?? found?.channelTemplate?.name} />
          <Fact name={texts.providerId} value={found?.externalId ?? undefined} />
        </dl>
        {found === undefined && (error === undefined ? <Loading /> : <LoadFailed error={error} onRetry={reload} />)}
        {found != null && found.timeline.length > 0 && (
          <Table label={texts.timeline} columns={columns}>
            {found.timeline.map(({ toStatus, source, providerCode, detail, occurredAt }) => (
              <tr key={`${toStatus} ${occurredAt}`}>
                <td>{formats.full(occurredAt)}</td>
                <td>{texts[toStatus.toLowerCase() as 'queued']}</td>
                <td>{source}</td>
                <td>{providerCode}</td>
                <td>{detail}</td>
              </tr>
            ))}
          </Table>
        )}
        {found != null && found.changes.length > 0 && (
          <section>
            <h3>{texts.changes}</h3>
            <ul>
              {found.changes.map(({ previousBody, occurredAt }) => (
                <li key={occurredAt}>
                  <small>{formats.full(occurredAt)}</small> <span dir="auto">{previousBody}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
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
