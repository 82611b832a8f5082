// The guides, with a search over all of them.

import { Link, useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useLoaded } from '../../api/use-loaded.js';
import { useCommands } from '../../app/commands.js';
import { useWritten } from '../../app/use-written.js';
import { useTexts } from '../../i18n/language.js';
import { EmptyState } from '../../parts/empty-state.js';
import { useTitle } from '../../parts/page.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import styles from './docs.module.css';
import { firstGuide, listGuides, readGuide, searchGuides, slugOf, titleOf } from './guides.js';
import { Markdown } from './markdown.js';
import { docsTexts } from './texts.js';

const searchPauseMs = 100;

export function DocsPage() {
  const texts = useTexts(docsTexts);
  const { page = firstGuide, q = '' } = useSearch({ from: '/signed-in/docs' });
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  const { text, write } = useWritten(
    q,
    (wanted) => void navigate({ to: '/docs', search: { page, ...(wanted !== '' && { q: wanted }) }, replace: true }),
    searchPauseMs,
  );
  useTitle(texts.title);
  useCommands([
    { id: 'search-docs', title: texts.searchHint, keys: '/', group: texts.title, run: () => box.current?.select() },
  ]);
  return (
    <div className={styles.layout}>
      <nav className={styles.pages} aria-label={texts.pages}>
        <input
          ref={box}
          type="text"
          aria-label={texts.search}
          placeholder={texts.searchHint}
          maxLength={100}
          value={text}
          onChange={({ target: { value } }) => write(value)}
        />
        {listGuides().map(({ group, names }) => (
          <section key={group}>
            <h2>{texts[group]}</h2>
            <ul>
              {names.map((name) => (
                <li key={name}>
                  <Link
                    to="/docs"
                    search={{ page: name }}
                    aria-current={name === page && q === '' ? 'page' : undefined}
                    activeProps={{}}
                  >
                    {titleOf(name)}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      {q === '' ? <ShownGuide name={page} /> : <Found wanted={q} />}
    </div>
  );
}

function ShownGuide({ name }: { name: string }) {
  const texts = useTexts(docsTexts);
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const { data, error, isLoading, reload } = useLoaded(name, async () => ({ guide: await readGuide(name) }));
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (data === undefined) return;
    const target = hash === '' ? null : (document.getElementById(hash) ?? document.getElementById(slugOf(hash)));
    if (target === null) article.current?.scrollTo(0, 0);
    else target.scrollIntoView();
  }, [data, hash]);
  if (error !== undefined) return <LoadFailed error={error} onRetry={reload} />;
  if (data === undefined) return isLoading ? <Loading /> : null;
  if (data.guide === undefined) return <EmptyState title={texts.nothing} hint={texts.nothingHint} />;
  return (
    <article ref={article} className={styles.guide} lang="en" dir="ltr" tabIndex={-1}>
      <Markdown tokens={data.guide.tokens} guide={name} />
    </article>
  );
}

function Found({ wanted }: { wanted: string }) {
  const texts = useTexts(docsTexts);
  const { data, error, reload } = useLoaded(wanted, () => searchGuides(wanted));
  if (error !== undefined) return <LoadFailed error={error} onRetry={reload} />;
  if (data === undefined) return <Loading />;
  if (data.length === 0) return <EmptyState title={texts.nothing} hint={texts.nothingHint} role="status" />;
  return (
    <div className={styles.guide}>
      <p role="status">{texts.found(data.length)}</p>
      <ul className={styles.found} lang="en">
        {data.map(({ guide, guideTitle, heading, slug, text }) => (
          <li key={`${guide} ${slug}`}>
            <Link to="/docs" search={{ page: guide }} hash={slug}>
              {heading}
            </Link>
            <small>{guideTitle}</small>
            <p>{excerptOf(text, wanted)}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

function excerptOf(text: string, wanted: string): string {
  const plain = text.replaceAll(/[`*|#[\]]/g, ' ').replaceAll(/\s+/g, ' ');
  const place = plain.toLowerCase().indexOf(wanted.toLowerCase().split(/\s+/)[0] ?? '');
  const from = Math.max(0, place - 60);
  return `${from > 0 ? '…' : ''}${plain.slice(from, from + 200)}`;
}
