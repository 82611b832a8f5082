// The person beside the conversation: number, source, tags and fields in place, assignee, touches, consent and notes.

import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';
import { Avatar } from '../../parts/avatar.js';
import { Button, IconButton } from '../../parts/button.js';
import { CopyIcon } from '../../parts/copy-text.js';
import { LikelyDuplicates } from '../../parts/duplicates/likely-duplicates.js';
import { Icon } from '../../parts/icon.js';
import { hostOf } from '../../parts/link-host.js';
import { Menu } from '../../parts/menu.js';
import { nameOf } from '../../parts/name-of.js';
import { notifyFailure } from '../../parts/notices.js';
import { partTexts } from '../../parts/part-texts.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { nameOfSource } from '../../parts/source-name.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { TagChips } from '../../parts/tag-chips.js';
import { AssignChoices } from './assign-choices.js';
import styles from './lead-panel.module.css';
import { AddNoteDialog } from './note-item.js';
import {
  AssignLeadDocument,
  ChangePanelLeadDocument,
  LeadPanelDocument,
  type PanelLeadFragment,
} from './operations.js';
import { panelTexts } from './panel-texts.js';
import { conversationTexts } from './texts.js';

interface LeadPanelProps {
  conversation: Conversation;
  lead: ConversationLead;
  /** True where it stands over the conversation. */
  isDrawer: boolean;
  /** The next letters are a tag. */
  isTagging: boolean;
  onTagging: () => void;
  onHide: () => void;
}

type Input = { addTags?: string[]; removeTags?: string[]; customFields?: Record<string, unknown> };

const maxNotes = 3;

export function LeadPanel({ conversation, lead, isDrawer, isTagging, onTagging, onHide }: LeadPanelProps) {
  const texts = useTexts(panelTexts);
  const { id } = lead;
  const { data, error, reload, change } = useLoaded(`panel ${id}`, () => askAgain(LeadPanelDocument, { id }));
  useFeed(({ type, leadId }) => type === 'LEAD_UPDATED' && leadId === id && reload(), reload);
  const save = async (input: Input) => {
    try {
      const { updateLead } = await ask(ChangePanelLeadDocument, { id, input });
      change(() => ({ lead: updateLead }));
      await conversation.readLead();
      return true;
    } catch (failure) {
      notifyFailure(failure);
      return false;
    }
  };
  const panel = data?.lead;
  return (
    <aside className={styles.panel} aria-label={texts.lead}>
      <header className={styles.head}>
        <h2>{texts.lead}</h2>
        <Link
          to="/leads/$id"
          params={{ id }}
          className={styles.open}
          aria-label={texts.openPage}
          title={texts.openPage}
        >
          <Icon name="open" />
        </Link>
        <IconButton icon={isDrawer ? 'close' : 'panel'} label={texts.hide} onClick={onHide} />
      </header>
      <div className={styles.body}>
        <Who lead={lead} />
        {panel != null && <CameFrom lead={lead} panel={panel} />}
        <Tags tags={lead.tags} {...{ isTagging, onTagging }} onSave={save} />
        <dl className={styles.fields}>
          <Assignee conversation={conversation} lead={lead} />
          {panel != null && <Fields panel={panel} onSave={save} />}
          <Consent optOut={lead.optOut} />
        </dl>
        {error !== undefined && panel === undefined && <LoadFailed error={error} onRetry={reload} />}
        {error === undefined && panel === undefined && <Loading />}
        <LikelyDuplicates leadId={id} className={styles.section} />
        {panel != null && <Touches panel={panel} />}
        <Notes conversation={conversation} lead={lead} />
      </div>
    </aside>
  );
}

function Who({ lead: { id, name, chat } }: { lead: ConversationLead }) {
  const texts = useTexts(conversationTexts);
  const panel = useTexts(panelTexts);
  return (
    <div className={styles.number}>
      <Avatar id={id} name={name} size={44} />
      <div>
        <p>
          <b>{chat === null ? texts.hiddenNumber : <PhoneNumber of={chat} />}</b>
          {chat !== null && <CopyIcon value={`+${chat}`} label={panel.copyNumber} />}
        </p>
        {name !== chat && <small dir="auto">{name}</small>}
      </div>
    </div>
  );
}

function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>
        {title}
        {action}
      </h3>
      {children}
    </section>
  );
}

function CameFrom({ lead, panel }: { lead: ConversationLead; panel: PanelLeadFragment }) {
  const texts = useTexts(panelTexts);
  const parts = useTexts(partTexts);
  const formats = useFormats();
  const { firstReferral } = lead;
  return (
    <Section title={texts.cameFrom}>
      {firstReferral !== null && (
        <p>
          <b dir="auto">{firstReferral.headline ?? parts[firstReferral.kind]}</b>
        </p>
      )}
      <small>
        <span dir="auto">{nameOfSource(panel.source)}</span> · {formats.short(panel.createdAt)}
      </small>
    </Section>
  );
}

interface TagsProps extends Pick<LeadPanelProps, 'isTagging' | 'onTagging'> {
  tags: readonly string[];
  onSave: (input: Input) => Promise<boolean>;
}

function Tags({ tags, isTagging, onTagging, onSave }: TagsProps) {
  const texts = useTexts(panelTexts);
  const [written, setWritten] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isTagging) return;
    field.current?.focus();
    onTagging();
  }, [isTagging]);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const tag = written.trim().toLowerCase();
    if (tag === '') return;
    setWritten('');
    // A tag that could not be saved stands in its field again.
    void onSave({ addTags: [tag] }).then((isSaved) => isSaved || setWritten((now) => (now === '' ? tag : now)));
  };
  return (
    <Section title={texts.tags}>
      <form onSubmit={add}>
        <TagChips
          ref={field}
          tags={tags}
          value={written}
          onWrite={setWritten}
          onTakeAway={(tag) => void onSave({ removeTags: [tag] })}
        />
      </form>
    </Section>
  );
}

function Assignee({ conversation, lead }: Pick<LeadPanelProps, 'conversation' | 'lead'>) {
  const texts = useTexts(panelTexts);
  const conversationText = useTexts(conversationTexts);
  const { user } = useStore(sessionState);
  const { id, assignee } = lead;
  const assign = (userId: string | null) =>
    void ask(AssignLeadDocument, { id, userId }).then(
      ({ assignLead }) => conversation.changeLead(assignLead),
      notifyFailure,
    );
  return (
    <div>
      <dt>{texts.assignedTo}</dt>
      <dd>
        <Menu
          trigger={
            <button type="button" className={styles.value}>
              {assignee !== null && <Avatar id={assignee.id} name={nameOf(assignee)} size={22} />}
              <span dir="auto">
                {assignee === null
                  ? conversationText.unassigned
                  : assignee.id === user?.id
                    ? conversationText.someone
                    : nameOf(assignee)}
              </span>
              <Icon name="down" size={14} />
            </button>
          }
        >
          <AssignChoices lead={lead} onChoose={assign} />
        </Menu>
      </dd>
    </div>
  );
}

function Fields({ panel, onSave }: { panel: PanelLeadFragment; onSave: (input: Input) => Promise<boolean> }) {
  return Object.entries(panel.customFields).map(([name, value]) => (
    <Field key={name} name={name} value={value} onSave={(next) => onSave({ customFields: { [name]: next } })} />
  ));
}

interface FieldProps {
  name: string;
  value: unknown;
  onSave: (value: unknown) => Promise<boolean>;
}

/** A field that is written where it is read: Enter or leaving it saves, Escape keeps what was. */
function Field({ name, value, onSave }: FieldProps) {
  const texts = useTexts(panelTexts);
  const [edit, setEdit] = useState<{ before: string; written: string; hasFailed?: boolean }>();
  const written = edit?.written;
  const save = async () => {
    if (edit === undefined) return;
    setEdit(undefined);
    // A colleague may have changed the value since. What was not touched is not saved, and what could not be saved stays.
    if (edit.written === edit.before || (await onSave(asBefore(value, edit.written)))) return;
    setEdit((now) => now ?? { ...edit, hasFailed: true });
  };
  return (
    <div>
      <dt dir="auto" title={name}>
        {name}
      </dt>
      <dd>
        {written === undefined ? (
          <button
            type="button"
            className={styles.value}
            aria-label={texts.editField(name, String(value))}
            onClick={() => setEdit({ before: String(value), written: String(value) })}
          >
            <span dir="auto">{String(value)}</span>
            <Icon name="edit" size={14} />
          </button>
        ) : (
          <input
            className={styles.input}
            aria-label={name}
            dir="auto"
            maxLength={1000}
            autoFocus={edit?.hasFailed !== true}
            value={written}
            onChange={({ target }) => setEdit((now) => now && { ...now, written: target.value })}
            onBlur={() => void save()}
            onKeyDown={(event) => {
              if (event.key === 'Enter') void save();
              if (event.key !== 'Escape') return;
              event.preventDefault();
              setEdit(undefined);
            }}
          />
        )}
      </dd>
    </div>
  );
}

/** A number stays a number and a boolean stays a boolean, as long as the text allows it; without a text the field goes. */
function asBefore(before: unknown, written: string): unknown {
  if (written.trim() === '') return null;
  if (typeof before === 'number' && Number.isFinite(Number(written))) return Number(written);
  if (typeof before === 'boolean' && (written === 'true' || written === 'false')) return written === 'true';
  return written;
}

function Consent({ optOut }: Pick<ConversationLead, 'optOut'>) {
  const texts = useTexts(panelTexts);
  const formats = useFormats();
  return (
    <div>
      <dt>{texts.consent}</dt>
      <dd data-kind={optOut === null ? 'good' : 'late'}>
        {optOut === null ? texts.mayWrite : texts.optedOut(formats.short(optOut.at))}
      </dd>
    </div>
  );
}

function Touches({ panel }: { panel: PanelLeadFragment }) {
  const texts = useTexts(panelTexts);
  const parts = useTexts(partTexts);
  const formats = useFormats();
  const touches = panel.touches.edges.map(({ node }) => node);
  if (touches.length === 0) return null;
  return (
    <Section title={texts.touches}>
      <ol className={styles.touches}>
        {touches.map(({ id, source, createdAt, referral }) => (
          <li key={id}>
            <Icon name={referral === null ? 'form' : 'ad'} size={16} />
            <span dir="auto" title={hostOf(referral?.sourceUrl ?? null)}>
              {referral === null ? nameOfSource(source) : (referral.headline ?? parts[referral.kind])}
            </span>
            <time dateTime={createdAt} title={formats.full(createdAt)}>
              {formats.short(createdAt)}
            </time>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Notes({ conversation, lead }: Pick<LeadPanelProps, 'conversation' | 'lead'>) {
  const texts = useTexts(panelTexts);
  const formats = useFormats();
  const [isAdding, setAdding] = useState(false);
  const notes = lead.notes.edges.map(({ node }) => node).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return (
    <Section
      title={texts.notes}
      action={
        <Button kind="quiet" onClick={() => setAdding(true)}>
          {texts.add}
        </Button>
      }
    >
      {notes.slice(0, maxNotes).map(({ id, body, author, createdAt }) => (
        <p key={id} className={styles.note}>
          <span dir="auto">{body}</span>
          <small>
            {nameOf(author)} · {formats.short(createdAt)}
          </small>
        </p>
      ))}
      {isAdding && (
        <AddNoteDialog
          leadId={lead.id}
          onClose={() => setAdding(false)}
          onChanged={() => void conversation.readLead()}
        />
      )}
    </Section>
  );
}
