// Meta's templates for an instance, as last read. They may be sent outside the 24-hour window.

import { useState } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { usePages } from '../../api/use-pages.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge, type BadgeKind } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Select, TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { ListEnd } from '../../parts/list-end.js';
import { notify } from '../../parts/notices.js';
import { Progress } from '../../parts/progress.js';
import { Table } from '../../parts/table.js';
import { FilterBar } from '../../parts/filter-bar.js';
import styles from './instances.module.css';
import { ChannelTemplatesDocument, SyncChannelTemplatesDocument } from './operations.js';
import { instancesTexts } from './texts.js';

const statuses = ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED', 'FLAGGED'] as const;

const kinds: Record<string, BadgeKind> = {
  APPROVED: 'good',
  FLAGGED: 'warning',
  PENDING: 'warning',
  IN_APPEAL: 'warning',
  REJECTED: 'danger',
  PAUSED: 'danger',
  DISABLED: 'danger',
};

export function ChannelTemplates({ instanceId }: { instanceId: string }) {
  const texts = useTexts(instancesTexts);
  const formats = useFormats();
  const [filter, setFilter] = useState({ search: '', status: '' });
  const { search, status } = filter;
  const pages = usePages(`templates ${instanceId} ${status} ${search.trim()}`, async (after) => {
    const given = { ...(search.trim() !== '' && { search: search.trim() }), ...(status !== '' && { status }) };
    return (await askAgain(ChannelTemplatesDocument, { instanceId, after, filter: given })).channelTemplates;
  });
  const sync = useAction(
    async () => {
      const { syncChannelTemplates } = await ask(SyncChannelTemplatesDocument, { instanceId });
      notify(texts.synced(syncChannelTemplates.length));
      pages.reload();
    },
    { isForm: true },
  );
  const isFiltered = search.trim() !== '' || status !== '';
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h3>{texts.templates}</h3>
        <Button icon="refresh" isBusy={sync.isBusy} onClick={() => void sync.start()}>
          {texts.sync}
        </Button>
      </div>
      <p className={styles.hint}>{texts.templatesHint}</p>
      {sync.isBusy && <Progress label={texts.syncing} />}
      <FormError error={sync.error} />
      <FilterBar>
        <TextField
          label={texts.templateName}
          maxLength={100}
          value={search}
          onChange={({ target }) => setFilter({ ...filter, search: target.value })}
        />
        <Select
          label={texts.status}
          value={status}
          onChoose={(next) => setFilter({ ...filter, status: next })}
          options={[{ value: '', label: texts.anyStatus }, ...statuses.map((one) => ({ value: one, label: one }))]}
        />
      </FilterBar>
      {pages.nodes.length > 0 && (
        <Table
          label={texts.templates}
          columns={[
            { name: texts.templateName },
            { name: texts.language },
            { name: texts.category },
            { name: texts.status },
            { name: texts.variables },
            { name: texts.reported },
          ]}
        >
          {pages.nodes.map((template) => (
            <tr key={template.id}>
              <td>{template.name}</td>
              <td>{template.language}</td>
              <td>{template.category}</td>
              <td>
                <Badge kind={kinds[template.status] ?? 'neutral'}>{template.status}</Badge>
                {template.statusReason !== null && <small className={styles.reason}>{template.statusReason}</small>}
              </td>
              <td>{formats.list(template.variables)}</td>
              <td>{formats.short(template.statusReportedAt)}</td>
            </tr>
          ))}
        </Table>
      )}
      {!pages.isLoading && pages.error === undefined && pages.nodes.length === 0 && (
        <p className={styles.hint}>{isFiltered ? texts.noSuchTemplate : texts.noTemplates}</p>
      )}
      <ListEnd pages={pages} />
    </section>
  );
}
