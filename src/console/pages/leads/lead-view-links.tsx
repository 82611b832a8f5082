// The views of the table of leads that the user keeps, each with the number of its leads.

import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/language.js';
import styles from './leads.module.css';
import { leadsTexts } from './texts.js';
import type { LeadView } from './use-lead-views.js';

/** A greater number is not counted to its end. */
const maxCounted = 100;

interface LinksProps {
  views: readonly LeadView[];
  shown: LeadView | undefined;
  /** True where every lead is shown. */
  isAll: boolean;
}

export function LeadViewLinks({ views, shown, isAll }: LinksProps) {
  const texts = useTexts(leadsTexts);
  const list = useRef<HTMLUListElement>(null);
  const current = shown?.id ?? (isAll ? 'all' : undefined);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <ul ref={list} className={styles.views} aria-label={texts.views}>
      <li>
        <Link to="/leads" search={{}} {...marked(current === 'all')}>
          {texts.all}
        </Link>
      </li>
      {views.map(({ id, name, count, search }) => (
        <li key={id}>
          <Link to="/leads" search={search} title={name} {...marked(id === current)}>
            <bdi>{name}</bdi> <span>{count < maxCounted ? count : `${maxCounted - 1}+`}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The page marks the view by itself: the router would mark the one without filters too. */
const marked = (isCurrent: boolean) => ({
  preload: false as const,
  activeOptions: { exact: true },
  activeProps: {},
  'aria-current': isCurrent ? ('page' as const) : undefined,
});
