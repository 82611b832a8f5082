// The consent of a lead to bulk messages, with the author and basis of each decision.

import { useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { usePages } from '../../api/use-pages.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { nameOf } from '../../parts/name-of.js';
import { ReasonDialog } from '../../parts/reason-dialog.js';
import styles from './lead.module.css';
import {
  ConsentLogDocument,
  OptInDocument,
  OptOutDocument,
  type ConsentLogQuery,
  type WholeLeadFragment,
} from './operations.js';
import { leadTexts } from './texts.js';

type LeadTexts = (typeof leadTexts)['en'];
type Entry = ConsentLogQuery['consentLog']['edges'][number]['node'];

export function ConsentSection({
  lead,
  onChange,
}: {
  lead: WholeLeadFragment;
  onChange: (lead: WholeLeadFragment) => void;
}) {
  const texts = useTexts(leadTexts);
  const formats = useFormats();
  const [isAsking, setIsAsking] = useState(false);
  const { id, optOut } = lead;
  const log = usePages(`${id} ${optOut?.at}`, async (after) => {
    const variables = { leadId: id, ...(after !== undefined && { after }) };
    return (await askAgain(ConsentLogDocument, variables)).consentLog;
  });
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
        <Button kind={optOut === null ? 'danger' : 'plain'} onClick={() => setIsAsking(true)}>
          {optOut === null ? texts.optOut : texts.optIn}
        </Button>
      </div>
      <h3>{texts.evidence}</h3>
      {log.nodes.length === 0 && !log.isLoading && <p className={styles.quiet}>{texts.noEvidence}</p>}
      <ol className={styles.log}>
        {log.nodes.map((entry) => (
          <EntryLine key={entry.id} entry={entry} />
        ))}
      </ol>
      {log.hasMore && <Button onClick={log.loadMore}>{texts.more}</Button>}
      {isAsking && (
        <ReasonDialog
          title={lead.optOut === null ? texts.optOut : texts.optIn}
          decide={decide}
          onClose={() => setIsAsking(false)}
        />
      )}
    </section>
  );
}

function EntryLine({ entry }: { entry: Entry }) {
  const texts = useTexts(leadTexts);
  const formats = useFormats();
  const { action, source, keyword, message, user, reason, occurredAt, isSuperseded, evidence } = entry;
  const how = {
    KEYWORD: texts.keyword(message?.body ?? keyword ?? ''),
    PREFERENCE: texts.preference,
    USER: texts.byUser(user === null ? '' : nameOf(user)),
    LEAD_FORM: answersOf(evidence, texts),
    ERASURE: texts.erasedBefore,
  }[source];
  return (
    <li>
      <time dateTime={occurredAt}>{formats.full(occurredAt)}</time>
      <span dir="auto">
        <strong>{texts[action]}</strong>: {how}
        {reason !== null && ` (${reason})`}
        {isSuperseded && ` · ${texts.superseded}`}
      </span>
    </li>
  );
}

/** Lists the boxes that the person ticked or left empty in a form. The list is empty once the person was erased. */
function answersOf(evidence: Entry['evidence'], texts: Pick<LeadTexts, 'ticked' | 'notTicked'>): string {
  const answers = evidence?.['disclaimers'];
  const boxes = (Array.isArray(answers) ? answers : []) as { key: string; isChecked: boolean }[];
  const keysOf = (isChecked: boolean) => boxes.filter((box) => box.isChecked === isChecked).map(({ key }) => key);
  const [ticked, left] = [keysOf(true).join(', '), keysOf(false).join(', ')];
  return [ticked !== '' && texts.ticked(ticked), left !== '' && texts.notTicked(left)]
    .filter((part) => part !== false)
    .join('; ');
}
