// The end of a list with cursors: a button for more, a sign of loading, or the failure.

import type { Pages } from '../api/use-pages.js';
import { useTexts } from '../i18n/language.js';
import { Button } from './button.js';
import styles from './list-end.module.css';
import { partTexts } from './part-texts.js';
import { Loading, LoadFailed } from './status-of-load.js';

export function ListEnd({ pages }: { pages: Omit<Pages<unknown>, 'change'> }) {
  const texts = useTexts(partTexts);
  if (pages.error !== undefined) return <LoadFailed error={pages.error} onRetry={pages.reload} />;
  if (pages.isLoading && pages.nodes.length === 0) return <Loading shape="table" />;
  if (!pages.hasMore) return null;
  return (
    <div className={styles.end}>
      <Button isBusy={pages.isLoading} onClick={pages.loadMore}>
        {texts.showMore}
      </Button>
    </div>
  );
}
