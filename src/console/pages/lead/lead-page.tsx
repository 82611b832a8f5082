// The page of a lead: what happened with it as one line of time, and its data at the side.

import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useColleagues } from '../../api/use-colleagues.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { useCommands } from '../../app/commands.js';
import { useNow } from '../../app/now.js';
import { typeAhead } from '../../app/typed-ahead.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { CopyIcon } from '../../parts/copy-text.js';
import { LikelyDuplicates } from '../../parts/duplicates/likely-duplicates.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Select } from '../../parts/field.js';
import { Keys } from '../../parts/keys.js';
import { nameOf } from '../../parts/name-of.js';
import { notifyFailure } from '../../parts/notices.js';
import { Page } from '../../parts/page.js';
import { partTexts } from '../../parts/part-texts.js';
import { LeadName, PhoneNumber } from '../../parts/phone-number.js';
import { SaveBar } from '../../parts/save-bar.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { WaitBadge } from '../../parts/wait-age.js';
import { ConsentSection } from './consent-section.js';
import { DetailsForm, useDetails, type DetailsEdit, type DetailsOptions } from './details-form.js';
import { EraseDialog } from './erase-dialog.js';
import { BackToLeads, LeadPlace } from './lead-place.js';
import { MergeDialog } from './merge-dialog.js';
import styles from './lead.module.css';
import { AssignLeadToDocument, LeadDocument, type WholeLeadFragment } from './operations.js';
import { StorySection } from './story-section.js';
import { leadTexts } from './texts.js';

export function LeadPage() {
  const texts = useTexts(leadTexts);
  const { id } = useParams({ from: '/signed-in/leads/$id' });
  const navigate = useNavigate();
  const { data, error, isLoading, reload, change } = useLoaded(id, () => askAgain(LeadDocument, { id }));
  const [edit, setEdit] = useState<DetailsEdit>();
  // Events and changes name the lead that stays, and not the one that was merged into it. What was being written goes with the person.
  const staying = data?.lead?.id;
  const writtenFor = useRef(id);
  useEffect(() => {
    if (writtenFor.current !== id) setEdit(undefined);
    writtenFor.current = staying ?? id;
    if (staying !== undefined && staying !== id)
      void navigate({ to: '/leads/$id', params: { id: staying }, search: (now) => now, replace: true });
  }, [staying, id]);
  useFeed((event) => (event.leadId === id || event.lead?.id === id) && isAboutLead(event.type) && reload(), reload);
  if (error !== undefined && data === undefined) return <LoadFailed error={error} onRetry={reload} />;
  if (data === undefined) return isLoading ? <LeadLoading /> : null;
  if (data.lead === null)
    return (
      <EmptyState title={texts.notFound} hint={texts.notFoundHint}>
        <Link to="/leads">{texts.toLeads}</Link>
      </EmptyState>
    );
  return (
    <ShownLead
      key={data.lead.id}
      lead={data.lead}
      edit={edit}
      setEdit={setEdit}
      onChange={(lead) => change(() => ({ lead }))}
      onReload={reload}
    />
  );
}

/** Stands where the page will, so that nothing moves when it comes. */
function LeadLoading() {
  const { lead } = useTexts(leadTexts);
  return (
    <Page title={lead}>
      <Loading />
    </Page>
  );
}

const isAboutLead = (type: string) => type.startsWith('LEAD_') || type === 'CONVERSATION_STATUS_CHANGED';

interface ShownProps extends DetailsOptions {
  onReload: () => void;
}

function ShownLead({ onReload, ...written }: ShownProps) {
  const { lead, onChange } = written;
  const texts = useTexts(leadTexts);
  const navigate = useNavigate();
  const { merge: candidateId, act } = useSearch({ from: '/signed-in/leads/$id' });
  const [chosen, setOpen] = useState<string>();
  // The address can ask for a dialog too, from another page as from this one.
  const open = chosen ?? (candidateId === undefined ? act : 'merge');
  const close = () => {
    setOpen(undefined);
    if (candidateId !== undefined || act !== undefined)
      void navigate({ to: '/leads/$id', params: { id: lead.id }, replace: true });
  };
  const details = useDetails(written);
  const formId = useId();
  const openConversation = () => navigate({ to: '/inbox/$leadId', params: { leadId: lead.id } });
  // The key means a reply: what is typed behind it belongs to the text, and not to single keys.
  const reply = () => {
    typeAhead(texts.openConversation);
    void openConversation();
  };
  useCommands([
    { id: 'conversation', title: texts.openConversation, keys: 'r', group: texts.lead, run: reply },
    { id: 'merge', title: texts.mergeWith, group: texts.lead, run: () => setOpen('merge') },
    {
      id: 'consent',
      title: lead.optOut === null ? texts.optOut : texts.optIn,
      group: texts.lead,
      run: () => setOpen('consent'),
    },
    { id: 'erase', title: texts.erase, group: texts.lead, run: () => setOpen('erase') },
  ]);
  return (
    <Page
      isName
      title={lead.name}
      heading={<LeadName name={lead.name} />}
      back={<BackToLeads />}
      mark={<Waits lead={lead} />}
      actions={
        <>
          <LeadPlace id={lead.id} />
          <Button kind="quiet" icon="merge" onClick={() => setOpen('merge')}>
            {texts.merge}
          </Button>
          {/* While something is to be saved, that is the main act. */}
          <Button
            kind={details.changes.length > 0 ? 'soft' : 'primary'}
            icon="inbox"
            onClick={() => void openConversation()}
          >
            {texts.openConversation}
            <span aria-hidden>
              <Keys keys="r" />
            </span>
          </Button>
        </>
      }
    >
      <div className={styles.columns}>
        <StorySection lead={lead} onReload={onReload} />
        <aside className={styles.side} aria-label={texts.details} data-quiet>
          <Overview lead={lead} onChange={onChange} />
          <DetailsForm id={formId} details={details} />
          <ConsentSection
            lead={lead}
            isAsking={open === 'consent'}
            onAsk={() => setOpen('consent')}
            onAsked={close}
            onChange={onChange}
          />
          <LikelyDuplicates leadId={lead.id} />
          <Button kind="quiet" icon="trash" isFlush className={styles.erase ?? ''} onClick={() => setOpen('erase')}>
            {texts.erase}
          </Button>
        </aside>
      </div>
      <SaveBar
        formId={formId}
        changes={details.changes}
        isBusy={details.isBusy}
        onDiscard={details.discard}
        isKept={(current, next) => next.pathname === current.pathname || next.pathname === `/leads/${lead.id}`}
      />
      {open === 'merge' && <MergeDialog lead={lead} candidateId={candidateId} onClose={close} onMerged={onReload} />}
      {open === 'erase' && <EraseDialog lead={lead} onClose={close} />}
    </Page>
  );
}

/** Says how long the lead waits for an answer. */
function Waits({ lead: { conversationStatus, waitingSince } }: Pick<ShownProps, 'lead'>) {
  const now = useNow();
  if (waitingSince === null || conversationStatus === 'CLOSED') return null;
  return <WaitBadge since={waitingSince} now={now} />;
}

function Overview({ lead, onChange }: Pick<ShownProps, 'lead' | 'onChange'>) {
  const texts = useTexts(leadTexts);
  const formats = useFormats();
  const { numberValidity, channelNumber, identities, conversationStatus, createdAt, lastInboundAt } = lead;
  return (
    <section className={styles.card} aria-label={texts.lead}>
      <ul aria-label={texts.numbers}>
        {identities.map(({ kind, value }) => (
          <li key={`${kind} ${value}`} className={styles.identity}>
            <span>{texts[kind]}</span>
            {kind === 'PHONE' ? <PhoneNumber of={value} /> : <code>{value}</code>}
            {kind === 'PHONE' && <CopyIcon value={`+${value}`} label={texts.copyNumber} />}
          </li>
        ))}
      </ul>
      {(numberValidity !== 'VALID' || channelNumber?.isOnChannel === false) && (
        <p className={styles.who}>
          {numberValidity !== 'VALID' && (
            <Badge kind={numberValidity === 'INVALID' ? 'danger' : 'neutral'}>{texts[numberValidity]}</Badge>
          )}
          {channelNumber?.isOnChannel === false && (
            <Badge kind="danger" title={formats.full(channelNumber.checkedAt)}>
              {texts.notOnChannel}
            </Badge>
          )}
        </p>
      )}
      <dl className={styles.facts}>
        <dt>{texts.status}</dt>
        <dd>{texts[conversationStatus]}</dd>
        {lead.firstReferral !== null && (
          <>
            <dt>{texts.firstReferral}</dt>
            <dd>
              <FirstReferral referral={lead.firstReferral} />
            </dd>
          </>
        )}
        <dt>{texts.cameIn}</dt>
        <dd>{formats.full(createdAt)}</dd>
        <dt>{texts.lastWrote}</dt>
        <dd>{lastInboundAt === null ? texts.never : formats.full(lastInboundAt)}</dd>
      </dl>
      <Assignment lead={lead} onChange={onChange} />
    </section>
  );
}

/** Shows the referral's headline. If the referral has an id, the headline links to all leads from it. */
function FirstReferral({ referral }: { referral: NonNullable<WholeLeadFragment['firstReferral']> }) {
  const parts = useTexts(partTexts);
  const { kind, sourceId, headline } = referral;
  const name = headline ?? sourceId ?? parts[kind];
  return sourceId === null ? (
    <bdi>{name}</bdi>
  ) : (
    <Link to="/leads" search={{ ad: sourceId }} title={sourceId}>
      <bdi>{name}</bdi>
    </Link>
  );
}

function Assignment({ lead, onChange }: Pick<ShownProps, 'lead' | 'onChange'>) {
  const texts = useTexts(leadTexts);
  const colleagues = useColleagues();
  const [isBusy, setIsBusy] = useState(false);
  const assign = async (userId: string) => {
    setIsBusy(true);
    try {
      const { assignLead } = await ask(AssignLeadToDocument, { id: lead.id, userId: userId === '' ? null : userId });
      onChange(assignLead);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  const { assignee } = lead;
  const active = colleagues.filter(({ isActive }) => isActive);
  const shown = assignee === null || active.some(({ id }) => id === assignee.id) ? active : [...active, assignee];
  return (
    <Select
      label={texts.assignee}
      value={assignee?.id ?? ''}
      disabled={isBusy}
      options={[{ value: '', label: texts.nobody }, ...shown.map((user) => ({ value: user.id, label: nameOf(user) }))]}
      onChoose={(userId) => void assign(userId)}
    />
  );
}
