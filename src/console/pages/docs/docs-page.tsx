// The guides, with a search over all of them.

import { Link, useNavigate, useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ask } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useLoaded } from '../../api/use-loaded.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Icon } from '../../parts/icon.js';
import { useTitle } from '../../parts/page.js';
import { SearchBox } from '../../parts/search-box.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import styles from './docs.module.css';
import { excerptOf, firstGuide, listGuides, readGuide, searchGuides, titleOf } from './guides.js';
import { Markdown } from './markdown.js';
import { ExampleKeyDocument } from './operations.js';
import { docsTexts } from './texts.js';

export function DocsPage() {
  const texts = useTexts(docsTexts);
  const { page = firstGuide } = useParams({ strict: false });
  const { q = '' } = useSearch({ strict: false });
  const { user } = useStore(sessionState);
  const [apiKey, setApiKey] = useState<string>();
  const [isUnfolded, unfold] = useState(false);
  const navigate = useNavigate();
  const search = (wanted: string) =>
    void navigate({ to: '/docs/$page', params: { page }, search: wanted === '' ? {} : { q: wanted }, replace: true });
  useTitle(q === '' ? `${titleOf(page)} · ${texts.title}` : `${q} · ${texts.title}`);
  return (
    <div className={styles.layout}>
      <nav className={styles.pages} aria-label={texts.pages}>
        {user === undefined && (
          <Link to="/sign-in" search={{}}>
            {texts.signIn}
          </Link>
        )}
        <div className={styles.search}>
          <SearchBox
            label={texts.search}
            placeholder={texts.searchHint}
            group={texts.title}
            value={q}
            onApply={search}
            onDown={() => document.querySelector<HTMLElement>(`.${styles.found} a`)?.focus()}
          />
        </div>
        <Button
          kind="quiet"
          className={styles.fold ?? ''}
          aria-expanded={isUnfolded}
          onClick={() => unfold(!isUnfolded)}
        >
          {texts.pages}
          <Icon name="down" size={14} />
        </Button>
        <div className={styles.list} data-unfolded={isUnfolded || undefined} onClick={() => unfold(false)}>
          {user?.role === 'ADMIN' && <KeyChoice tenantId={user.tenantId} apiKey={apiKey} onKey={setApiKey} />}
          {listGuides().map(({ group, names }) => (
            <section key={group}>
              <h2>{texts[group]}</h2>
              <ul>
                {names.map((name) => (
                  <li key={name}>
                    <Link
                      to="/docs/$page"
                      params={{ page: name }}
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
        </div>
      </nav>
      {q === '' ? <ShownGuide name={page} apiKey={apiKey} /> : <Found wanted={q} />}
    </div>
  );
}

interface KeyChoiceProps {
  tenantId: string;
  apiKey: string | undefined;
  onKey: (apiKey: string | undefined) => void;
}

/** Puts the tenant's key into the examples, for an administrator who asks. */
function KeyChoice({ tenantId, apiKey, onKey }: KeyChoiceProps) {
  const texts = useTexts(docsTexts);
  const show = useAction(async () => onKey((await ask(ExampleKeyDocument, { id: tenantId })).tenant?.apiKey));
  return apiKey === undefined ? (
    <Button kind="quiet" isBusy={show.isBusy} title={texts.audited} onClick={() => void show.start()}>
      {texts.showKey}
    </Button>
  ) : (
    <Button kind="quiet" onClick={() => onKey(undefined)}>
      {texts.hideKey}
    </Button>
  );
}

function ShownGuide({ name, apiKey }: { name: string; apiKey: string | undefined }) {
  const texts = useTexts(docsTexts);
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const { data, error, isLoading, reload } = useLoaded(`${name} ${apiKey ?? ''}`, async () => ({
    guide: await readGuide(name, apiKey),
  }));
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (data === undefined) return;
    // Links to a code's section may be in small letters, as GitHub's anchors are.
    const headings = article.current?.querySelectorAll('[id]') ?? [];
    const target = [...headings].find(({ id }) => hash !== '' && id.toLowerCase() === hash.toLowerCase());
    if (target === undefined) article.current?.scrollTo(0, 0);
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
            <Link to="/docs/$page" params={{ page: guide }} hash={slug}>
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
