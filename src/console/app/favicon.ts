// The window's icon, with the number of unread conversations.

import { inboxCounts } from '../live/inbox-counts.js';

const maxShown = 99;

/** @returns a function that ends the updates */
export function followFavicon(): () => void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (link === null) return () => undefined;
  const plain = link.href;
  let mark: Promise<string> | undefined;
  let wanted = 0;
  const draw = async (count: number) => {
    mark ??= fetch(plain).then((answer) => answer.text());
    const drawn = withCount(await mark, count > maxShown ? `${maxShown}+` : String(count));
    if (count === wanted) link.href = `data:image/svg+xml,${encodeURIComponent(drawn)}`;
  };
  const show = () => {
    const { unread } = inboxCounts.value;
    if (unread === wanted) return;
    wanted = unread;
    if (unread === 0) link.href = plain;
    else void draw(unread).catch(() => undefined);
  };
  show();
  const leave = inboxCounts.subscribe(show);
  return () => {
    leave();
    link.href = plain;
  };
}

function withCount(mark: string, count: string): string {
  const width = 8 + count.length * 7;
  const badge = `<rect x="${28 - width}" y="14" width="${width}" height="14" rx="7" fill="#b3261e"/>`;
  const text = `<text x="${28 - width / 2}" y="25" text-anchor="middle" font-family="sans-serif" font-size="12" font-weight="700" fill="#fff">${count}</text>`;
  return mark.replace('</svg>', `${badge}${text}</svg>`);
}
