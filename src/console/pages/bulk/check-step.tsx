// The check before a bulk send: the text for the first recipients, the number of recipients, and the skipped ones with reasons.

import { useState } from 'react';
import { askAgain } from '../../api/client.js';
import { explain } from '../../api/request-error.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Avatar } from '../../parts/avatar.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { LeadName } from '../../parts/phone-number.js';
import { Table } from '../../parts/table.js';
import styles from './bulk.module.css';
import { textOfChannelTemplate, type ChosenContent } from './content-step.js';
import { BulkPreviewDocument } from './operations.js';
import { skipReasons, type Planned, type SendPlan } from './send-plan.js';
import { formTexts } from './form-texts.js';

const shownTexts = 3;
const shownSkipped = 100;

export function CheckStep({ plan, chosen }: { plan: SendPlan; chosen: ChosenContent }) {
  const texts = useTexts(formTexts);
  const formats = useFormats();
  const { recipients, skipped } = plan;
  const { template, channelTemplate } = chosen;
  // After a change of the plan, its first recipients show again.
  const [from, setFrom] = useState({ recipients, first: 0 });
  const first = from.recipients === recipients ? from.first : 0;
  const setFirst = (next: number) => setFrom({ recipients, first: next });
  const shown = recipients.slice(first, first + shownTexts);
  const unseen = recipients.filter(({ lead }) => lead === undefined).length;
  return (
    <div className={styles.stack}>
      <p role="status">
        <strong>{texts.willGet(formats.number(recipients.length))}</strong>{' '}
        {skipped.length > 0 && texts.willNotGet(formats.number(skipped.length))}
      </p>
      {unseen > 0 && <p className={styles.quiet}>{texts.notLookedUp}</p>}
      <div className={styles.previews}>
        {shown.map((recipient) => (
          <PreviewOf
            key={`${recipient.leadId} ${JSON.stringify(recipient.variables)}`}
            recipient={recipient}
            templateId={channelTemplate === undefined ? template?.id : undefined}
            channelText={channelTemplate === undefined ? '' : textOfChannelTemplate(channelTemplate)}
          />
        ))}
      </div>
      {recipients.length > shownTexts && (
        <Button
          kind="quiet"
          icon="refresh"
          className={styles.others}
          onClick={() => setFirst(first + shownTexts < recipients.length ? first + shownTexts : 0)}
        >
          {texts.others}
        </Button>
      )}
      {skipped.length > 0 && <Skipped skipped={skipped} />}
    </div>
  );
}

interface PreviewProps {
  recipient: Planned;
  templateId: string | undefined;
  channelText: string;
}

function PreviewOf({ recipient, templateId, channelText }: PreviewProps) {
  const texts = useTexts(formTexts);
  const formats = useFormats();
  const { label, leadId, variables } = recipient;
  const key = templateId === undefined ? undefined : JSON.stringify([templateId, leadId, variables]);
  const { data, error } = useLoaded(key, () =>
    askAgain(BulkPreviewDocument, { id: templateId ?? '', leadId, ...(variables !== undefined && { variables }) }),
  );
  const rendered = data?.renderTemplate;
  const missing = rendered?.missing ?? [];
  return (
    <figure className={styles.preview}>
      <figcaption>
        <Avatar id={leadId} name={label} size={22} />{' '}
        <bdi>
          <LeadName name={label} />
        </bdi>
      </figcaption>
      {error !== undefined && <p className={styles.problem}>{explain(error)}</p>}
      {missing.length > 0 && <p className={styles.problem}>{texts.missingFor(formats.list(missing))}</p>}
      <p className={styles.bubble} dir="auto">
        {templateId === undefined ? fill(channelText, variables) : (rendered?.body ?? '…')}
      </p>
    </figure>
  );
}

function fill(text: string, variables: Record<string, unknown> | undefined): string {
  const body = (variables?.['body'] ?? {}) as Record<string, string>;
  return text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => body[name] ?? place);
}

function Skipped({ skipped }: Pick<SendPlan, 'skipped'>) {
  const texts = useTexts(formTexts);
  const formats = useFormats();
  const counts = skipReasons.flatMap((reason) => {
    const count = skipped.filter((one) => one.reason === reason).length;
    return count === 0 ? [] : [{ reason, count }];
  });
  return (
    <details className={styles.skipped}>
      <summary>
        {texts.skippedTitle}
        {counts.map(({ reason, count }) => (
          <Badge key={reason} kind="warning">
            {texts[reason]} {formats.number(count)}
          </Badge>
        ))}
      </summary>
      <Table label={texts.skippedTitle} columns={[{ name: texts.recipient }, { name: texts.reason }]}>
        {skipped.slice(0, shownSkipped).map(({ label, reason, detail }, index) => (
          <tr key={`${index} ${label}`}>
            <td>
              <bdi>
                <LeadName name={label} />
              </bdi>
            </td>
            <td>
              {texts[reason]} {detail !== undefined && <code>{detail}</code>}
            </td>
          </tr>
        ))}
      </Table>
      {skipped.length > shownSkipped && <small>{texts.firstOnly(formats.number(shownSkipped))}</small>}
    </details>
  );
}
