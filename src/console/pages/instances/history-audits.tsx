// The results of reading the gateway's history for an instance, and a button that starts a reading.

import { useState } from 'react';
import { askAgain } from '../../api/client.js';
import { usePages } from '../../api/use-pages.js';
import { useCommands } from '../../app/commands.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { ListEnd } from '../../parts/list-end.js';
import { Table } from '../../parts/table.js';
import { historyTexts } from './history-texts.js';
import styles from './instances.module.css';
import { InstanceAuditsDocument, type InstanceAuditsQuery } from './operations.js';
import { RecoverDialog } from './recover-dialog.js';
import { instancesTexts } from './texts.js';

type Audit = InstanceAuditsQuery['instanceAudits']['edges'][number]['node'];

interface HistoryAuditsProps {
  instanceId: string;
  instanceName: string;
  isAdmin: boolean;
}

export function HistoryAudits({ instanceId, instanceName, isAdmin }: HistoryAuditsProps) {
  const texts = useTexts(historyTexts);
  const words = useTexts(instancesTexts);
  const [isAsked, setIsAsked] = useState(false);
  const pages = usePages(
    `audits ${instanceId}`,
    async (after) => (await askAgain(InstanceAuditsDocument, { instanceId, after })).instanceAudits,
  );
  const recover = { id: 'recover-messages', title: texts.recoverOf(instanceName), group: words.instances };
  useCommands(isAdmin ? [{ ...recover, run: () => setIsAsked(true) }] : []);
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h3>{texts.audits}</h3>
        {isAdmin && (
          <Button icon="refresh" onClick={() => setIsAsked(true)}>
            {texts.recover}
          </Button>
        )}
      </div>
      <p className={styles.hint}>{texts.auditsHint}</p>
      {pages.nodes.length > 0 && (
        <Table
          label={texts.audits}
          columns={[
            { name: texts.span },
            { name: texts.cause },
            { name: texts.atGateway, isNumber: true },
            { name: texts.here, isNumber: true },
            { name: texts.recovered, isNumber: true },
            { name: texts.unexplained, isNumber: true },
          ]}
        >
          {pages.nodes.map((audit) => (
            <AuditRow key={audit.id} audit={audit} />
          ))}
        </Table>
      )}
      {!pages.isLoading && pages.error === undefined && pages.nodes.length === 0 && (
        <p className={styles.hint}>{texts.noAudits}</p>
      )}
      <ListEnd pages={pages} />
      {isAsked && (
        <RecoverDialog
          instanceId={instanceId}
          instanceName={instanceName}
          onClose={() => setIsAsked(false)}
          onRead={pages.reload}
        />
      )}
    </section>
  );
}

function AuditRow({ audit }: { audit: Audit }) {
  const texts = useTexts(historyTexts);
  const formats = useFormats();
  const { from, to, cause, isComplete, atGateway, here, recovered, unexplained, statuses, reasons, requestedBy } =
    audit;
  return (
    <tr>
      <td>
        {texts.fromTo(formats.full(from), formats.full(to))}
        {!isComplete && <small className={styles.reason}>{texts.incomplete}</small>}
      </td>
      <td>
        {texts[cause]}
        {requestedBy !== null && <small className={styles.reason}>{requestedBy.name ?? requestedBy.email}</small>}
      </td>
      <td className={styles.count}>{formats.number(atGateway)}</td>
      <td className={styles.count}>{formats.number(here)}</td>
      <td className={styles.count}>
        {recovered > 0 ? <Badge kind="warning">{formats.number(recovered)}</Badge> : formats.number(recovered)}
        {statuses > 0 && <small className={styles.reason}>{texts.statuses(formats.number(statuses))}</small>}
      </td>
      <td className={styles.count}>
        {formats.number(unexplained)}
        {reasons.map(({ reason, count }) => (
          <small key={reason} className={styles.reason} dir="auto">
            {reason}: {formats.number(count)}
          </small>
        ))}
      </td>
    </tr>
  );
}
