// Merges another lead into this one. The user finds it by name or number, or comes with one that is likely the same person, sees a preview,
// and can undo the merge.

import { useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { moveThroughChoices } from '../../parts/choices.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { notify } from '../../parts/notices.js';
import { LeadName, PhoneNumber, WithNumbers } from '../../parts/phone-number.js';
import { nameOfSource } from '../../parts/source-name.js';
import styles from './lead.module.css';
import {
  MergeCandidatesDocument,
  MergeIntoDocument,
  SeparateLeadsDocument,
  OneMergeCandidateDocument,
  type MergeCandidateFragment,
  type WholeLeadFragment,
} from './operations.js';
import { leadTexts } from './texts.js';

interface MergeProps {
  lead: WholeLeadFragment;
  /** The lead to compare with from the start. */
  candidateId?: string | undefined;
  onClose: () => void;
  onMerged: () => void;
}

export function MergeDialog({ lead, candidateId, onClose, onMerged }: MergeProps) {
  const texts = useTexts(leadTexts);
  const [wanted, setWanted] = useState('');
  const [picked, setPicked] = useState<MergeCandidateFragment | null>();
  const brought = useLoaded(
    candidateId,
    async () => (await askAgain(OneMergeCandidateDocument, { id: candidateId ?? '' })).lead,
  );
  // The one that was brought counts until the user takes another one, or goes back to the search.
  const chosen =
    picked === undefined && brought.data?.id !== lead.id ? (brought.data ?? undefined) : (picked ?? undefined);
  const search = wanted.trim();
  const { data } = useLoaded(search.length < 2 ? undefined : search, () =>
    askAgain(MergeCandidatesDocument, { search }),
  );
  const candidates = data?.leads.edges.map(({ node }) => node).filter(({ id }) => id !== lead.id);

  // The dialog is already closed when the undo runs.
  const undo = useAction(async (mergeId: string) => {
    await ask(SeparateLeadsDocument, { mergeId });
    notify(texts.undone);
    onMerged();
  });
  const merge = useAction(
    async (gone: MergeCandidateFragment) => {
      const { mergeLeads } = await ask(MergeIntoDocument, { leadId: gone.id, intoId: lead.id });
      const made = mergeLeads.merges.find(({ mergedLead }) => mergedLead.id === gone.id);
      notify(texts.merged, { ...(made !== undefined && { undo: () => undo.start(made.id) }), forMs: 12_000 });
      onMerged();
    },
    { isForm: true, onDone: onClose },
  );

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.mergeWith}
      actions={
        chosen !== undefined && (
          <>
            <Button
              onClick={() => {
                merge.clear();
                setPicked(null);
              }}
            >
              {texts.cancel}
            </Button>
            <Button kind="primary" autoFocus isBusy={merge.isBusy} onClick={() => void merge.start(chosen)}>
              {texts.mergeNow}
            </Button>
          </>
        )
      }
    >
      {chosen === undefined ? (
        <div className={styles.form} onKeyDown={moveThroughChoices}>
          <TextField
            label={texts.mergeHint}
            value={wanted}
            maxLength={100}
            autoFocus
            onChange={({ target }) => setWanted(target.value)}
          />
          {candidates?.length === 0 && <p role="status">{texts.none}</p>}
          <ul className={styles.candidates}>
            {candidates?.map((candidate) => (
              <li key={candidate.id}>
                <button type="button" onClick={() => setPicked(candidate)}>
                  <CandidateLine candidate={candidate} />
                </button>
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <div className={styles.form}>
          <CandidateLine candidate={chosen} mark={texts.goes} />
          <CandidateLine candidate={lead} mark={texts.stays} />
          <p>
            <WithNumbers text={texts.mergePreview(...namesApart(chosen, lead))} />
          </p>
          <FormError error={merge.error} />
        </div>
      )}
    </Dialog>
  );
}

/** Returns the names of two leads; their numbers where they have one name. */
function namesApart(one: Person, other: Person): [string, string] {
  const isOne = one.name === other.name && one.chat !== null && other.chat !== null;
  return isOne ? [`+${one.chat}`, `+${other.chat}`] : [one.name, other.name];
}

type Person = Pick<MergeCandidateFragment, 'name' | 'chat'>;

/** @param mark says what becomes of the lead: two that are one person often have one name */
function CandidateLine({ candidate, mark }: { candidate: MergeCandidateFragment; mark?: string }) {
  const texts = useTexts(leadTexts);
  const formats = useFormats();
  const { name, chat, source, createdAt, lastInboundAt } = candidate;
  return (
    <span className={styles.candidate}>
      <span>
        <strong dir="auto">
          <LeadName name={name} />
        </strong>{' '}
        {mark !== undefined && <Badge>{mark}</Badge>}
      </span>
      <span>{chat !== null && <PhoneNumber of={chat} />}</span>
      <small>
        {nameOfSource(source)} · {texts.cameIn} {formats.short(createdAt)} · {texts.lastWrote}{' '}
        {lastInboundAt === null ? texts.never : formats.short(lastInboundAt)}
      </small>
    </span>
  );
}
