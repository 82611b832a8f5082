// The traffic of an instance in the last 24 hours: when a message came and left last, and how many answers were not sent.

import { useEffect, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { figureTexts } from './figure-texts.js';
import styles from './instances.module.css';
import { InstanceFiguresDocument } from './operations.js';

const day = 86_400_000;
const readAgainMs = 5_000;

interface InstanceFiguresProps {
  id: string;
  /** How many messages wait for it; undefined until it is known. */
  waiting: number | undefined;
}

export function InstanceFigures({ id, waiting }: InstanceFiguresProps) {
  const texts = useTexts(figureTexts);
  const formats = useFormats();
  const { data, reload } = useLoaded(`figures ${id}`, () =>
    askAgain(InstanceFiguresDocument, { id, since: new Date(Date.now() - day).toISOString() }),
  );
  useMessagesOf(id, reload);
  if (data === undefined) return null;
  const [cameIn] = data.lastIn.edges;
  const [left] = data.lastOut.edges;
  const [done, failed] = [data.done.totalCount, data.failed.totalCount];
  const timeOf = (at: string | null | undefined) => (at == null ? texts.none : formats.short(at));
  return (
    <dl className={styles.figures} title={texts.span}>
      <div>
        <dt>{texts.lastIn}</dt>
        <dd>{timeOf(cameIn?.node.createdAt)}</dd>
      </div>
      <div>
        <dt>{texts.lastOut}</dt>
        <dd>{timeOf(left?.node.sentAt ?? left?.node.createdAt)}</dd>
      </div>
      <div data-waiting={(waiting ?? 0) > 0 || undefined}>
        <dt>{texts.waiting}</dt>
        <dd>{waiting === undefined ? texts.none : formats.number(waiting)}</dd>
      </div>
      <div data-failed={failed > 0 || undefined}>
        <dt>{texts.notSent}</dt>
        <dd>{done === 0 ? texts.none : texts.share(formats.percent(failed / done), formats.number(failed))}</dd>
      </div>
    </dl>
  );
}

/** Reads again a moment after messages of the instance came or changed. Many of them cause one reading. */
function useMessagesOf(id: string, reload: () => void): void {
  const [isStale, setStale] = useState(false);
  useFeed(({ message }) => message?.instance?.id === id && setStale(true), reload);
  useEffect(() => {
    if (!isStale) return undefined;
    const timer = setTimeout(() => {
      setStale(false);
      reload();
    }, readAgainMs);
    return () => clearTimeout(timer);
  }, [isStale, reload]);
}
