// A lead source: its address, its state and its actions.

import { useState } from 'react';
import { ask } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useStable } from '../../app/use-stable.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { CopyText } from '../../parts/copy-text.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { notify } from '../../parts/notices.js';
import { HeldSubmissions } from './held-submissions.js';
import { heldTexts } from './held-texts.js';
import { leadSourceTexts } from './lead-source-texts.js';
import { LeadSourceDryRun } from './lead-source-dry-run.js';
import { DeleteLeadSourceDocument, UpdateLeadSourceDocument, type LeadSourceRowFragment } from './operations.js';
import styles from './settings.module.css';

const missedDays = 7;

interface LeadSourceCardProps {
  source: LeadSourceRowFragment;
  onEdit: () => void;
  onChanged: (source: LeadSourceRowFragment) => void;
  onDeleted: () => void;
}

export function LeadSourceCard({ source, onEdit, onChanged, onDeleted }: LeadSourceCardProps) {
  const texts = useTexts(leadSourceTexts);
  const [isTesting, setIsTesting] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const { id, kind, name, path, webhookVerifyToken, forms } = source;
  const readMissed = useAction(async () => {
    const readSince = new Date(Date.now() - missedDays * 86_400_000).toISOString();
    onChanged((await ask(UpdateLeadSourceDocument, { id, input: { readSince } })).updateLeadSource);
    notify(texts.readsMissed);
  });
  const hint = { META: texts.metaHint, GOOGLE: texts.googleHint, FORM: texts.formHint }[kind];
  return (
    <li className={styles.card}>
      <div className={styles.cardHead}>
        <div className={styles.cardName}>
          <h3 dir="auto">{name}</h3>
        </div>
        <Badge>{texts[kind]}</Badge>
        <div className={styles.buttons}>
          <Menu trigger={<IconButton icon="more" label={texts.more(name)} isBusy={readMissed.isBusy} />}>
            <MenuItem onChoose={onEdit}>{texts.edit}</MenuItem>
            {forms.length > 0 && <MenuItem onChoose={() => void readMissed.start()}>{texts.readMissed}</MenuItem>}
            <MenuItem isDanger onChoose={() => setIsDeleting(true)}>
              {texts.remove}
            </MenuItem>
          </Menu>
        </div>
      </div>
      <CopyText label={texts.address} value={`${location.origin}${path}`} hint={hint} />
      {webhookVerifyToken !== null && (
        <CopyText label={texts.verifyToken} value={webhookVerifyToken} hint={texts.verifyTokenHint} />
      )}
      <State source={source} />
      <div>
        <Button
          isFlush
          kind="quiet"
          icon={isTesting ? 'down' : 'next'}
          aria-expanded={isTesting}
          onClick={() => setIsTesting(!isTesting)}
        >
          {isTesting ? texts.hideTest : texts.test}
          <span className="visually-hidden">{name}</span>
        </Button>
      </div>
      {isTesting && <LeadSourceDryRun source={source} />}
      <Held source={source} onChanged={onChanged} />
      {isDeleting && (
        <ConfirmDialog
          title={texts.removeTitle}
          text={texts.removeText}
          confirmLabel={texts.remove}
          onConfirm={async () => {
            await ask(DeleteLeadSourceDocument, { id });
            onDeleted();
          }}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </li>
  );
}

function Held({ source, onChanged }: Pick<LeadSourceCardProps, 'source' | 'onChanged'>) {
  const texts = useTexts(heldTexts);
  const [isShown, setIsShown] = useState(false);
  const { id, heldCount, name } = source;
  // Another submission may have left the list while this one's answer was under way.
  const countOne = useStable(() => onChanged({ ...source, heldCount: heldCount - 1 }));
  if (heldCount === 0) return null;
  return (
    <>
      <div>
        <Button
          isFlush
          kind="quiet"
          icon={isShown ? 'down' : 'next'}
          aria-expanded={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? texts.hide : texts.show(heldCount)}
          <span className="visually-hidden">{name}</span>
        </Button>
      </div>
      {isShown && <HeldSubmissions sourceId={id} onChanged={countOne} />}
    </>
  );
}

function State({ source }: { source: LeadSourceRowFragment }) {
  const texts = useTexts(leadSourceTexts);
  const formats = useFormats();
  const { lastLeadAt, lastTestAt, pendingLeads, failedLeads, lastError, forms } = source;
  return (
    <>
      <p className={styles.hint}>
        {lastLeadAt === null ? texts.noLead : texts.lastLead(formats.full(lastLeadAt))}
        {pendingLeads > 0 && ` ${texts.pending(pendingLeads)}`}
        {lastTestAt !== null && ` ${texts.lastTest(formats.full(lastTestAt))}`}
      </p>
      {(failedLeads > 0 || lastError !== null) && (
        <p className={styles.problem}>
          {failedLeads > 0 && `${texts.failed(failedLeads)} `}
          {lastError}
        </p>
      )}
      {forms.map(({ id, error }) =>
        error === null ? null : (
          <p key={id} className={styles.problem}>
            {texts.formError(id, error)}
          </p>
        ),
      )}
    </>
  );
}
