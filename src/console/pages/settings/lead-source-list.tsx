// The lead sources: ads and forms that post leads to their own address.

import { useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useCommands } from '../../app/commands.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { LeadSourceCard } from './lead-source-card.js';
import { LeadSourceForm } from './lead-source-form.js';
import { leadSourceTexts } from './lead-source-texts.js';
import { LeadSourceListDocument, type LeadSourceRowFragment } from './operations.js';
import { useSettingsCount } from './settings-counts.js';
import styles from './settings.module.css';

/** The sources, and what adds one: the head of the page has it, or the empty list. */
export function useLeadSources() {
  const texts = useTexts(leadSourceTexts);
  const [form, setForm] = useState<{ source?: LeadSourceRowFragment }>();
  const { data, error, reload, change } = useLoaded(
    'lead-sources',
    async () => (await askAgain(LeadSourceListDocument)).leadSources,
  );
  useSettingsCount('sources', data?.length);
  const onChanged = (source: LeadSourceRowFragment) =>
    change((all) => {
      const isKnown = all.some(({ id }) => id === source.id);
      return isKnown ? all.map((one) => (one.id === source.id ? source : one)) : [...all, source];
    });
  useCommands([{ id: 'add-lead-source', title: texts.add, group: texts.own, run: () => setForm({}) }]);
  const addButton = (
    <Button kind="primary" icon="plus" onClick={() => setForm({})}>
      {texts.add}
    </Button>
  );
  return { data, error, reload, change, onChanged, form, setForm, addButton };
}

export function LeadSourceList({ sources }: { sources: ReturnType<typeof useLeadSources> }) {
  const texts = useTexts(leadSourceTexts);
  const { data, error, reload, change, onChanged, form, setForm, addButton } = sources;
  return (
    <section className={styles.section} aria-labelledby="own-sources">
      <h2 id="own-sources">{texts.own}</h2>
      {data === undefined && (error === undefined ? <Loading /> : <LoadFailed error={error} onRetry={reload} />)}
      {data?.length === 0 && (
        <EmptyState title={texts.none} hint={texts.noneHint}>
          {addButton}
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <>
          <p className={styles.hint}>{texts.ownHint}</p>
          <ul className={styles.cards}>
            {data.map((source) => (
              <LeadSourceCard
                key={source.id}
                source={source}
                onEdit={() => setForm({ source })}
                onChanged={onChanged}
                onDeleted={() => change((all) => all.filter(({ id }) => id !== source.id))}
              />
            ))}
          </ul>
        </>
      )}
      {form !== undefined && <LeadSourceForm {...form} onClose={() => setForm(undefined)} onSaved={onChanged} />}
    </section>
  );
}
