// All versions of a template with author, time and differences, read on demand. An old text can be put in the field again.

import { useState } from 'react';
import { askAgain } from '../../api/client.js';
import { usePages } from '../../api/use-pages.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { nameOf } from '../../parts/name-of.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { TemplateVersionsDocument, type EditedTemplateFragment, type TemplateVersionsQuery } from './operations.js';
import styles from './templates.module.css';
import { changesBetween } from './text-changes.js';
import { templateTexts } from './texts.js';

type Version = NonNullable<TemplateVersionsQuery['template']>['versions'][number];

interface VersionsProps {
  template: EditedTemplateFragment;
  onRestore: (body: string, version: number) => void;
}

const pageSize = 20;

export function TemplateVersions(props: VersionsProps) {
  const texts = useTexts(templateTexts);
  const [isWanted, setIsWanted] = useState(false);
  return (
    <section className={styles.card} aria-label={texts.versions}>
      <details className={styles.demanded} onToggle={({ currentTarget }) => setIsWanted(currentTarget.open)}>
        <summary>
          <h2>{texts.versions}</h2>
        </summary>
        {isWanted && <ListedVersions {...props} />}
      </details>
    </section>
  );
}

function ListedVersions({ template, onRestore }: VersionsProps) {
  const texts = useTexts(templateTexts);
  const pages = usePages(`${template.id} ${template.version}`, async (after) => {
    const before = after === undefined ? {} : { before: Number(after) };
    const found = await askAgain(TemplateVersionsDocument, { id: template.id, ...before });
    const versions = found.template?.versions ?? [];
    const last = versions.at(-1)?.version ?? 1;
    return {
      edges: versions.map((node) => ({ node })),
      pageInfo: { hasNextPage: versions.length === pageSize && last > 1, endCursor: String(last) },
    };
  });
  return (
    <>
      <ol className={styles.versions}>
        {pages.nodes.map((version) => (
          <li key={version.version}>
            <OneVersion version={version} template={template} onRestore={onRestore} />
          </li>
        ))}
      </ol>
      {pages.error !== undefined && <LoadFailed error={pages.error} onRetry={pages.reload} />}
      {pages.isLoading && <Loading />}
      {pages.hasMore && (
        <Button isBusy={pages.isLoading} onClick={pages.loadMore}>
          {texts.more}
        </Button>
      )}
    </>
  );
}

function OneVersion({ version, template, onRestore }: VersionsProps & { version: Version }) {
  const texts = useTexts(templateTexts);
  const formats = useFormats();
  const [isComparing, setIsComparing] = useState(true);
  const isNow = version.version === template.version;
  const { author, createdAt, body } = version;
  return (
    <details>
      <summary>
        <strong>{texts.version(formats.number(version.version))}</strong>
        <span>{author === null ? texts.someone : nameOf(author)}</span>
        <time dateTime={createdAt}>{formats.full(createdAt)}</time>
        {isNow && <Badge kind="accent">{texts.inUse}</Badge>}
      </summary>
      {isNow || !isComparing ? (
        <pre dir="auto">{body}</pre>
      ) : (
        <pre dir="auto">
          {changesBetween(body, template.body).map(({ kind, text }, index) => {
            if (kind === 'same') return text;
            return kind === 'added' ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>;
          })}
        </pre>
      )}
      {!isNow && (
        <div className={styles.actions}>
          <small>{isComparing ? texts.compareHint : ''}</small>
          <Button onClick={() => setIsComparing(!isComparing)}>{isComparing ? texts.textAlone : texts.compare}</Button>
          <Button onClick={() => onRestore(body, version.version)}>{texts.restore}</Button>
        </div>
      )}
    </details>
  );
}
