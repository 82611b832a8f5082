// The row of a lead in the table of leads. An open, answered conversation says nothing: only exceptions stand beside the name.

import { Link, useNavigate } from '@tanstack/react-router';
import { useNow } from '../../app/now.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Avatar } from '../../parts/avatar.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { nameOf } from '../../parts/name-of.js';
import { LeadName, PhoneNumber } from '../../parts/phone-number.js';
import { nameOfSource } from '../../parts/source-name.js';
import { selectionTexts } from '../../parts/selection/texts.js';
import { clickOf } from '../../parts/selection/use-selection.js';
import { WaitAge } from '../../parts/wait-age.js';
import { roomOf, timeColumns, type ColumnName } from './lead-columns.js';
import styles from './leads.module.css';
import type { LeadLineFragment } from './operations.js';
import { leadsTexts } from './texts.js';

/** A row has one line: the lead's page shows all tags. */
const maxTags = 2;

interface LeadLineProps {
  lead: LeadLineFragment;
  columns: readonly ColumnName[];
  isSelected: boolean;
  onSelect: (way: 'toggle' | 'extendTo') => void;
}

export function LeadLine({ lead, columns, isSelected, onSelect }: LeadLineProps) {
  const texts = useTexts(leadsTexts);
  const { select } = useTexts(selectionTexts);
  const navigate = useNavigate();
  const { id, name, chat, source, firstReferral, tags, customFields, createdAt, assignee } = lead;
  const cells: Record<ColumnName, React.ReactNode> = {
    number: chat !== null && <PhoneNumber of={chat} />,
    tags: (
      <span className={styles.tags} title={tags.join(', ')}>
        {tags.slice(0, maxTags).map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
        {tags.length > maxTags && <small>+{tags.length - maxTags}</small>}
      </span>
    ),
    source: <Source source={source} headline={firstReferral?.headline} />,
    assignee: assignee !== null && (
      <>
        <Avatar id={assignee.id} name={nameOf(assignee)} size={22} title={nameOf(assignee)} />
        <span className="visually-hidden">{nameOf(assignee)}</span>
      </>
    ),
    created: <Time iso={createdAt} />,
    lastMessage: <LastMessage lead={lead} />,
    fields: <span dir="auto">{printFields(customFields)}</span>,
  };
  return (
    <tr data-lead={id} className={styles.row} data-selected={isSelected || undefined}>
      <td>
        <input
          type="checkbox"
          aria-label={select(name)}
          checked={isSelected}
          onChange={({ nativeEvent }) => onSelect(clickOf(nativeEvent as MouseEvent) ?? 'toggle')}
        />
      </td>
      <td className={styles.who}>
        <div>
          <Link to="/leads/$id" params={{ id }} dir="auto">
            <LeadName name={name} />
          </Link>
          <States lead={lead} />
          <Button
            kind="quiet"
            icon="inbox"
            className={styles.open}
            onClick={() => void navigate({ to: '/inbox/$leadId', params: { leadId: id } })}
          >
            {texts.openChat}
            <span className="visually-hidden"> {name}</span>
          </Button>
        </div>
        {chat !== null && columns.includes('number') && (
          <small className={styles.below}>
            <PhoneNumber of={chat} />
          </small>
        )}
      </td>
      {columns.map((column) => (
        <td key={column} className={timeColumns.includes(column) ? styles.time : ''} data-room={roomOf[column]}>
          {cells[column]}
        </td>
      ))}
    </tr>
  );
}

function States({ lead: { conversationStatus, snoozedUntil, optOut, lastMessage } }: { lead: LeadLineFragment }) {
  const texts = useTexts(leadsTexts);
  const formats = useFormats();
  return (
    <>
      {lastMessage?.status === 'FAILED' && <Badge kind="danger">{texts.notSent}</Badge>}
      {optOut !== null && <Badge kind="danger">{texts.optedOut}</Badge>}
      {conversationStatus === 'CLOSED' && <small>{texts.CLOSED}</small>}
      {conversationStatus === 'SNOOZED' && (
        <small>{snoozedUntil === null ? texts.SNOOZED : texts.snoozedTo(formats.short(snoozedUntil))}</small>
      )}
    </>
  );
}

/** Says how long the lead waits, otherwise when the newest message came or went. */
function LastMessage({ lead: { waitingSince, conversationStatus, lastMessage } }: { lead: LeadLineFragment }) {
  const now = useNow();
  if (waitingSince !== null && conversationStatus !== 'CLOSED') return <WaitAge since={waitingSince} now={now} />;
  return lastMessage === null ? '' : <Time iso={lastMessage.createdAt} />;
}

/** Says which ad, post or product brought the lead, where that is known. */
function Source({ source, headline }: { source: string; headline: string | null | undefined }) {
  const name = nameOfSource(source);
  if (headline == null) return name;
  return (
    <span className={styles.source} title={`${name} · ${headline}`}>
      {name} · <span dir="auto">{headline}</span>
    </span>
  );
}

function Time({ iso }: { iso: string }) {
  const formats = useFormats();
  return (
    <time dateTime={iso} title={formats.full(iso)}>
      {formats.short(iso)}
    </time>
  );
}

function printFields(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');
}
