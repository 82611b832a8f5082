// The list of templates with its search, and the open template beside it. `id=new` is a template that does not exist yet.

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { usePages } from '../../api/use-pages.js';
import { useIsHere } from '../../app/use-is-here.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Page } from '../../parts/page.js';
import { SearchBox } from '../../parts/search-box.js';
import { searchOf } from '../../parts/template-text.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import {
  TemplateListDocument,
  WholeTemplateDocument,
  type EditedTemplateFragment,
  type TemplateListQuery,
} from './operations.js';
import { TemplateEditor } from './template-editor.js';
import { foldersOf, nameInFolder, type TemplateFolder } from './template-folders.js';
import styles from './templates.module.css';
import { templateFieldTexts } from './template-field-texts.js';
import { templateTexts } from './texts.js';

const pageSize = 50;

export function TemplatesPage() {
  const texts = useTexts(templateTexts);
  const { id, q = '' } = useSearch({ from: '/signed-in/templates' });
  const navigate = useNavigate();
  const pages = usePages(q, async (after) => {
    const search = searchOf(q);
    const filter = search === '' ? {} : { search };
    return (await askAgain(TemplateListDocument, { first: pageSize, filter, ...(after !== undefined && { after }) }))
      .templates;
  });
  useTemplateChanges(pages.reload);
  const searchWith = (open?: string) => ({ ...(q !== '' && { q }), ...(open !== undefined && { id: open }) });
  const open = (one?: string) => void navigate({ to: '/templates', search: searchWith(one) });

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
          {foldersOf(pages.nodes).map((folder) => (
            <Folder key={folder.name ?? ''} folder={folder} openId={id} searchWith={searchWith} />
          ))}
          <StateOfList pages={pages} isSearched={q !== ''} onCreate={() => open('new')} />
        </div>
        <div className={styles.open}>
          <Opened id={id} pages={pages} onOpen={open} />
        </div>
      </div>
    </Page>
  );
}

interface FolderProps {
  folder: TemplateFolder<TemplateLine>;
  openId: string | undefined;
  searchWith: (id: string) => { q?: string; id?: string };
}

/** Lists the templates of a folder, which can be folded. Templates without a folder stand by themselves. */
function Folder({ folder: { name, templates }, openId, searchWith }: FolderProps) {
  const texts = useTexts(templateTexts);
  const formats = useFormats();
  const list = (
    <ul aria-label={name ?? texts.title}>
      {templates.map((template) => (
        <li key={template.id}>
          <Link
            to="/templates"
            search={searchWith(template.id)}
            className={styles.line}
            aria-current={template.id === openId ? 'page' : undefined}
          >
            <Line template={template} />
          </Link>
        </li>
      ))}
    </ul>
  );
  if (name === undefined) return list;
  return (
    <details open className={styles.folder}>
      <summary>
        <bdi>{name}</bdi> <small>{formats.number(templates.length)}</small>
      </summary>
      {list}
    </details>
  );
}

const readAgainMs = 300;

/** Reads again after colleagues or other windows have changed templates. Changes in quick succession cause one reading. */
function useTemplateChanges(reload: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(reload);
  latest.current = reload;
  useFeed(({ type }) => {
    if (type !== 'TEMPLATE_CHANGED') return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(), readAgainMs);
  }, reload);
  useEffect(() => () => clearTimeout(timer.current), []);
}

type TemplatePages = ReturnType<typeof usePages<TemplateLine>>;
type TemplateLine = TemplateListQuery['templates']['edges'][number]['node'];

function Line({
  template: { name, body, version, shortcut, visibility, files, updatedAt },
}: {
  template: TemplateLine;
}) {
  const texts = useTexts(templateTexts);
  const ofFields = useTexts(templateFieldTexts);
  const formats = useFormats();
  return (
    <>
      <strong>
        <bdi>{nameInFolder(name)}</bdi>
        {shortcut !== null && <kbd>/{shortcut}</kbd>}
      </strong>
      <span dir="auto">{body.slice(0, 160)}</span>
      <small>
        {files.length > 0 && `${ofFields.files} ${formats.number(files.length)} · `}
        {visibility === 'PERSONAL' && `${ofFields.personal} · `}
        {texts.version(formats.number(version))} · {formats.short(updatedAt)}
      </small>
    </>
  );
}

function StateOfList({
  pages,
  isSearched,
  onCreate,
}: {
  pages: TemplatePages;
  isSearched: boolean;
  onCreate: () => void;
}) {
  const texts = useTexts(templateTexts);
  const navigate = useNavigate();
  const { error, isLoading, nodes, hasMore, loadMore, reload } = pages;
  if (error !== undefined) return <LoadFailed error={error} onRetry={reload} />;
  if (isLoading && nodes.length === 0) return <Loading />;
  if (hasMore)
    return (
      <Button isBusy={isLoading} onClick={loadMore}>
        {texts.more}
      </Button>
    );
  if (nodes.length > 0) return null;
  if (isSearched)
    return (
      <EmptyState title={texts.nothing}>
        <Button onClick={() => void navigate({ to: '/templates', search: {} })}>{texts.clear}</Button>
      </EmptyState>
    );
  return (
    <EmptyState title={texts.empty} hint={texts.emptyHint}>
      <Button onClick={onCreate}>{texts.create}</Button>
    </EmptyState>
  );
}

interface OpenedProps {
  id: string | undefined;
  pages: TemplatePages;
  onOpen: (id?: string) => void;
}

function Opened({ id, pages, onOpen }: OpenedProps) {
  const texts = useTexts(templateTexts);
  const { made, round, setMade } = useMade(id);
  if (id === undefined)
    return pages.nodes.length === 0 ? null : <EmptyState title={texts.choose} hint={texts.chooseHint} />;
  const forget = (isShown: boolean) => {
    pages.change((templates) => templates.filter((one) => one.id !== id));
    if (isShown) onOpen();
  };
  return (
    <>
      <Button kind="quiet" icon="back" className={styles.back} onClick={() => onOpen()}>
        {texts.back}
      </Button>
      <OpenTemplate
        key={id === 'new' || made !== undefined ? `new ${round}` : id}
        id={id}
        made={made}
        onSaved={(saved, isShown) => {
          pages.reload();
          if (id !== 'new' || !isShown) return;
          setMade(saved);
          onOpen(saved.id);
        }}
        onRemoved={forget}
      />
    </>
  );
}

function SearchField({ value }: { value: string }) {
  const texts = useTexts(templateTexts);
  const navigate = useNavigate();
  return (
    <SearchBox
      label={texts.search}
      placeholder={texts.searchHint}
      group={texts.title}
      value={value}
      onApply={(wanted) =>
        void navigate({
          to: '/templates',
          search: ({ id }: { id?: string }) => ({
            ...(id !== undefined && { id }),
            ...(wanted !== '' && { q: wanted }),
          }),
          replace: true,
        })
      }
      onDown={() => document.querySelector<HTMLElement>('main li a')?.focus()}
    />
  );
}

/** A template that was just made stays in the editor of new ones, with the focus where it was, until another is opened. */
function useMade(id: string | undefined) {
  const [made, setMade] = useState<EditedTemplateFragment>();
  const [round, setRound] = useState(0);
  const isOpen = made !== undefined && made.id === id;
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    return () => {
      setMade(undefined);
      setRound((count) => count + 1);
    };
  }, [isOpen]);
  return { made: isOpen ? made : undefined, round, setMade };
}

interface OpenTemplateProps {
  /** `new` for a template that does not exist yet. */
  id: string;
  /** The template as it was made a moment ago, until it is read. */
  made: EditedTemplateFragment | undefined;
  /** @param isShown false if the user has gone elsewhere meanwhile */
  onSaved: (template: EditedTemplateFragment, isShown: boolean) => void;
  onRemoved: (isShown: boolean) => void;
}

function OpenTemplate({ id, made, onSaved, onRemoved }: OpenTemplateProps) {
  const texts = useTexts(templateTexts);
  const { data, error, isLoading, reload, change } = useLoaded(id === 'new' ? undefined : id, () =>
    askAgain(WholeTemplateDocument, { id }),
  );
  const isHere = useIsHere();
  const template = data === undefined ? made : data.template;
  if (template === null) return <EmptyState title={texts.notFound} hint={texts.notFoundHint} />;
  if (template === undefined && id !== 'new') {
    if (error !== undefined) return <LoadFailed error={error} onRetry={reload} />;
    return isLoading ? <Loading /> : null;
  }
  return (
    <TemplateEditor
      {...(template !== undefined && { template })}
      onSaved={(saved) => {
        change(() => ({ template: saved }));
        onSaved(saved, isHere());
      }}
      onRemoved={() => onRemoved(isHere())}
    />
  );
}
