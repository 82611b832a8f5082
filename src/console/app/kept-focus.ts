// Keeps the place of the keyboard. A browser leaves the focus to nothing when its element goes away or is disabled, and a screen reader
// then begins the page again. Here it goes to what stands nearest. A finger and a mouse have their place elsewhere.

const dialogs = '[role=dialog], [role=alertdialog]';
const layers = `${dialogs}, [role=menu]`;
/** The parts that take the focus themselves where nothing in them can. A menu moves it by itself. */
const grounds = `main, ${dialogs}`;
/** A message takes it for what goes in it, so that it is read again and the arrow keys go on from there. */
const messages = 'article[tabindex]';
const fields = ':is(input, select, textarea):enabled';
const focusable = `${fields}, button:enabled, a[href], summary, [tabindex="0"]`;

/** The place that an element has left. */
interface Gap {
  parent: Element;
  /** The element stood behind this one. */
  before: Node | null;
  /** The element is still there, as the last of its form as a rule. */
  isDisabled: boolean;
}

/** @returns a function that ends it */
export function keepFocus(): () => void {
  /** The element with the focus, and the last one that had it on the page itself, to which a dialog returns it. */
  const held: { last?: Element | undefined; onPage?: Element | undefined } = {};
  const gaps = new WeakMap<Element, Gap>();
  let isByKey = false;

  const elements = () => [held.last, held.onPage].filter((one) => one !== undefined);
  const take = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    held.last = target;
    if (target.closest(layers) === null) held.onPage = target;
  };
  const leave = ({ target, relatedTarget }: FocusEvent) => {
    // Nothing was chosen instead. An element that goes away is still there when it says so.
    if (relatedTarget === null)
      queueMicrotask(() => {
        if (target === held.last && !isLost(target)) held.last = undefined;
        if (target === held.onPage && !isLost(target)) held.onPage = undefined;
      });
  };
  const setKey = () => (isByKey = true);
  const setPointer = () => (isByKey = false);
  const fill = () => {
    if (!isByKey || document.activeElement !== document.body) return;
    for (const element of elements()) {
      const gap = gaps.get(element);
      if (gap === undefined || !isLost(element) || gap.parent.closest(grounds) === null) continue;
      nearestTo(gap)?.focus({ preventScroll: true });
      return;
    }
  };
  const observer = new MutationObserver((records) => {
    const found = elements().flatMap((element) => {
      const gap = isLost(element) ? gapOf(element, records) : undefined;
      return gap === undefined ? [] : [[element, gap] as const];
    });
    for (const [element, gap] of found) gaps.set(element, gap);
    // A dialog that closes and a field that opens take the focus by themselves, and have done so by then.
    if (found.length > 0) requestAnimationFrame(() => requestAnimationFrame(fill));
  });

  const listeners = [
    ['focusin', take],
    ['focusout', leave],
    ['keydown', setKey],
    ['pointerdown', setPointer],
  ] as const;
  for (const [name, listener] of listeners) addEventListener(name, listener as EventListener, true);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    observer.disconnect();
    for (const [name, listener] of listeners) removeEventListener(name, listener as EventListener, true);
  };
}

const isLost = (element: unknown): boolean =>
  element instanceof Element && (!element.isConnected || element.matches(':disabled'));

function gapOf(element: Element, records: readonly MutationRecord[]): Gap | undefined {
  if (element.isConnected) {
    const parent = element.closest('form') ?? element.parentElement;
    return parent === null ? undefined : { parent, before: element, isDisabled: true };
  }
  const record = records.find(
    ({ target, removedNodes }) => target.isConnected && [...removedNodes].some((node) => node.contains(element)),
  );
  if (record === undefined || !(record.target instanceof Element)) return undefined;
  const { target, previousSibling } = record;
  return { parent: target, before: previousSibling?.isConnected === true ? previousSibling : null, isDisabled: false };
}

/** Returns its message, else what follows, else the last field of the form, else what stands before, else the ground. */
function nearestTo({ parent, before, isDisabled }: Gap): HTMLElement | undefined {
  const message = parent.closest('form') === null ? parent.closest<HTMLElement>(messages) : null;
  if (message !== null) return message;
  let [place, edge]: [Element | null, Node | null] = [parent, before];
  while (place !== null && place !== document.body) {
    if (place.matches(grounds)) return place instanceof HTMLElement ? place : undefined;
    const from = edge;
    const inside = shownIn(place, focusable);
    const behind = isDisabled ? undefined : inside.find((one) => from === null || isBehind(one, from));
    // A form is written on in its fields: what stands last among its buttons may delete.
    const form = place.closest('form');
    const found = behind ?? (form === null ? undefined : shownIn(form, fields).at(-1)) ?? inside.at(-1);
    if (found !== undefined) return found;
    [place, edge] = [place.parentElement, place];
  }
  return undefined;
}

const shownIn = (place: Element, selector: string): HTMLElement[] =>
  [...place.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility({ visibilityProperty: true }));

const isBehind = (one: Node, edge: Node): boolean =>
  (edge.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !edge.contains(one);
