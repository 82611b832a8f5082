// Whether a lead gets bulk messages, and the decision of a user on it. What it rests on stands in the line of time.

import { ask } from '../../api/client.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { ReasonDialog } from '../../parts/reason-dialog.js';
import styles from './lead.module.css';
import { OptInDocument, OptOutDocument, type WholeLeadFragment } from './operations.js';
import { leadTexts } from './texts.js';

interface ConsentProps {
  lead: WholeLeadFragment;
  isAsking: boolean;
  onAsk: () => void;
  onAsked: () => void;
  onChange: (lead: WholeLeadFragment) => void;
}

export function ConsentSection({ lead, isAsking, onAsk, onAsked, onChange }: ConsentProps) {
  const texts = useTexts(leadTexts);
  const formats = useFormats();
  const { id, optOut } = lead;
  async function decide(reason: string): Promise<void> {
    if (optOut === null) onChange((await ask(OptOutDocument, { id, reason })).optOutLead);
    else onChange((await ask(OptInDocument, { id, reason })).optInLead);
  }
  return (
    <section className={styles.card} aria-label={texts.consent}>
      <h2>{texts.consent}</h2>
      <p>
        {optOut === null ? texts.mayWrite : <Badge kind="danger">{texts.OPT_OUT}</Badge>}{' '}
        {optOut !== null && texts.optedOutSince(formats.full(optOut.at))}
      </p>
      <div>
        <Button isFlush kind={optOut === null ? 'danger' : 'plain'} onClick={onAsk}>
          {optOut === null ? texts.optOut : texts.optIn}
        </Button>
      </div>
      {isAsking && (
        <ReasonDialog title={lead.optOut === null ? texts.optOut : texts.optIn} decide={decide} onClose={onAsked} />
      )}
    </section>
  );
}
