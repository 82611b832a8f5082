// Keyboard access to the marks of a chart: one takes the focus, arrow keys move it, and Enter opens its rows. It also measures charts.

import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { stepTo } from './scale.js';

export function useMarks(ids: readonly string[], onOpen: (id: string) => void, columns = 1) {
  const group = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string>();
  const [pointed, setPointed] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const tabbable = current !== undefined && ids.includes(current) ? current : ids[0];
  const onKeyDown = (event: KeyboardEvent, id: string) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      return onOpen(id);
    }
    const next = stepTo(event.key, ids.indexOf(id), ids.length, columns);
    if (next === undefined) return;
    event.preventDefault();
    const wanted = ids[next] ?? '';
    group.current?.querySelector<HTMLElement | SVGElement>(`[data-mark="${CSS.escape(wanted)}"]`)?.focus();
  };
  return {
    group,
    /** The mark under the pointer, else the mark with the focus. */
    active: pointed ?? focused,
    propsOf: (id: string) => ({
      'data-mark': id,
      tabIndex: id === tabbable ? 0 : -1,
      onClick: () => onOpen(id),
      onKeyDown: (event: KeyboardEvent) => onKeyDown(event, id),
      onFocus: () => {
        setCurrent(id);
        setFocused(id);
      },
      onBlur: () => setFocused(undefined),
      onPointerEnter: () => setPointed(id),
      onPointerLeave: () => setPointed(undefined),
    }),
  };
}

/** Returns the focus to the mark whose rows were shown. Dialogs return it only to HTML elements, not to parts of a picture. */
export function useFocusReturn(page: { current: HTMLElement | null }, widget?: string, mark?: string): void {
  useEffect(() => {
    if (widget === undefined || mark === undefined) return undefined;
    const find = () =>
      page.current?.querySelector<HTMLElement | SVGElement>(
        `[data-widget="${CSS.escape(widget)}"] [data-mark="${CSS.escape(mark)}"]`,
      );
    const giveBack = () => document.activeElement === document.body && find()?.focus();
    return () => void setTimeout(giveBack);
  }, [page, widget, mark]);
}

/** Returns zeros until the size is known. */
export function useSize(element: { current: HTMLElement | null }): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = current;
      setSize((now) => (now.width === width && now.height === height ? now : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
