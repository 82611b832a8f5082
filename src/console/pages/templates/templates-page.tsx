// Templates: the list with its search, and beside it the one that is open. `id=new` is one that does not exist yet.

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { usePages } from '../../api/use-pages.js';
import { useCommands } from '../../app/commands.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { TextField } from '../../parts/field.js';
import { Page } from '../../parts/page.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { TemplateListDocument, WholeTemplateDocument } from './operations.js';
import { TemplateEditor } from './template-editor.js';
import styles from './templates.module.css';
import { templateTexts } from './texts.js';

const pageSize = 50;
const waitMs = 250;

export function TemplatesPage() {
  const texts = useTexts(templateTexts);
  const formats = useFormats();
  const { id, q = '' } = useSearch({ from: '/signed-in/templates' });
  const navigate = useNavigate();
  const pages = usePages(q, async (after) => {
    const filter = q === '' ? {} : { search: q.slice(0, 100) };
    return (await askAgain(TemplateListDocument, { first: pageSize, filter, ...(after !== undefined && { after }) }))
      .templates;
  });
  useFeed(() => {}, pages.reload);
  const searchWith = (open?: string) => ({ ...(q !== '' && { q }), ...(open !== undefined && { id: open }) });
  const open = (one?: string) => void navigate({ to: '/templates', search: searchWith(one) });
  useCommands([{ id: 'new-template', title: texts.create, group: texts.title, run: () => open('new') }]);
  const isEmpty = !pages.isLoading && pages.error === undefined && pages.nodes.length === 0;

  return (
    <Page
      title={texts.title}
      actions={
        <Button kind="primary" icon="plus" onClick={() => open('new')}>
          {texts.create}
        </Button>
      }
    >
      <div className={styles.columns} data-open={id !== undefined}>
        <div className={styles.list}>
          <SearchField value={q} />
          {pages.nodes.length > 0 && (
            <ul>
              {pages.nodes.map((template) => (
                <li key={template.id}>
                  <Link
                    to="/templates"
                    search={searchWith(template.id)}
                    className={styles.line}
                    aria-current={template.id === id ? 'page' : undefined}
                  >
                    <strong dir="auto">{template.name}</strong>
                    <span dir="auto">{template.body.slice(0, 160)}</span>
                    <small>
                      {texts.version(formats.number(template.version))} · {formats.short(template.updatedAt)}
                    </small>
                  </Link>
                </li>
              ))}
            </ul>
          )}
          {pages.error !== undefined && <LoadFailed error={pages.error} onRetry={pages.reload} />}
          {pages.isLoading && <Loading />}
          {isEmpty && (
            <EmptyState title={q === '' ? texts.empty : texts.nothing} {...(q === '' && { hint: texts.emptyHint })}>
              {q === '' ? (
                <Button onClick={() => open('new')}>{texts.create}</Button>
              ) : (
                <Button onClick={() => void navigate({ to: '/templates', search: {} })}>{texts.clear}</Button>
              )}
            </EmptyState>
          )}
          {pages.hasMore && (
            <Button isBusy={pages.isLoading} onClick={pages.loadMore}>
              {texts.more}
            </Button>
          )}
        </div>
        <div className={styles.open}>
          {id !== undefined && (
            <Button kind="quiet" icon="back" className={styles.back} onClick={() => open()}>
              {texts.back}
            </Button>
          )}
          {id === undefined && !isEmpty && <EmptyState title={texts.choose} hint={texts.chooseHint} />}
          {id === 'new' && (
            <TemplateEditor
              key="new"
              onSaved={(saved) => {
                pages.reload();
                open(saved.id);
              }}
              onRemoved={() => open()}
            />
          )}
          {id !== undefined && id !== 'new' && (
            <OpenTemplate
              key={id}
              id={id}
              onSaved={pages.reload}
              onRemoved={() => {
                pages.change((templates) => templates.filter((one) => one.id !== id));
                open();
              }}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

/** Counts when nothing was typed for a moment. */
function SearchField({ value }: { value: string }) {
  const texts = useTexts(templateTexts);
  const navigate = useNavigate();
  const [written, setWritten] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setWritten(value);
  }
  useEffect(() => {
    if (written === value) return undefined;
    const timer = setTimeout(
      () =>
        void navigate({
          to: '/templates',
          search: ({ id }: { id?: string }) => ({
            ...(id !== undefined && { id }),
            ...(written !== '' && { q: written }),
          }),
          replace: true,
        }),
      waitMs,
    );
    return () => clearTimeout(timer);
  }, [written, value, navigate]);
  return (
    <TextField
      label={texts.search}
      placeholder={texts.searchHint}
      value={written}
      maxLength={100}
      onChange={({ target }) => setWritten(target.value)}
    />
  );
}

function OpenTemplate({ id, onSaved, onRemoved }: { id: string; onSaved: () => void; onRemoved: () => void }) {
  const texts = useTexts(templateTexts);
  const { data, error, isLoading, reload, change } = useLoaded(id, () => askAgain(WholeTemplateDocument, { id }));
  if (error !== undefined && data === undefined) return <LoadFailed error={error} onRetry={reload} />;
  if (data === undefined) return isLoading ? <Loading /> : null;
  if (data.template === null) return <EmptyState title={texts.notFound} hint={texts.notFoundHint} />;
  return (
    <TemplateEditor
      template={data.template}
      onSaved={(template) => {
        change(() => ({ template }));
        onSaved();
      }}
      onRemoved={onRemoved}
    />
  );
}
