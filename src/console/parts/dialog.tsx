// A dialog over the page. It takes the focus, closes by Escape, and returns the focus. Its code comes when the first one opens.

import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { layers } from '../app/commands.js';
import { typeAhead } from '../app/typed-ahead.js';

let loaded: typeof import('./dialog-popup.js') | undefined;

async function load(): Promise<void> {
  loaded ??= await import('./dialog-popup.js');
}

/** Returns the code of dialogs, which is loaded when one opens; undefined until then. */
function usePopups(isOpen: boolean): typeof loaded {
  const [, setLoaded] = useState(false);
  useEffect(() => {
    if (!isOpen || loaded !== undefined) return;
    const fail = (error: unknown) =>
      setLoaded(() => {
        throw error;
      });
    load().then(() => setLoaded(true), fail);
  }, [isOpen]);
  return loaded;
}

export interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The accessible name of the dialog. */
  title: string;
  isTitleHidden?: boolean;
  /** The buttons at the foot. */
  actions?: ReactNode;
  isWide?: boolean;
  /** Returns the element to focus afterwards in place of the one that opened the dialog; null leaves it at that. Asked when it closes. */
  returnTo?: () => HTMLElement | null;
  /** Called once the dialog is gone and has given the focus back. */
  onClosed?: () => void;
  children: ReactNode;
}

/** The element on the page itself that last had the focus. A dialog that follows another returns the focus to it. */
let onPage: Element | undefined = placeNow();

addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && target.closest(layers) === null) onPage = target;
});
addEventListener('focusout', ({ target, relatedTarget }) => {
  if (relatedTarget === null && target === onPage) onPage = undefined;
});

/** This code may come later than the focus. */
function placeNow(): Element | undefined {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body ? undefined : activeElement;
}

/** Returns where the keyboard is on the page itself, also while a dialog that closes still has the focus. */
export const placeOnPage = (): Element | undefined => onPage;

/** A choice in a dialog or menu may have opened another dialog, which has the focus before the first one is gone. */
export function isInOtherLayer(): boolean {
  const layer = document.activeElement?.closest(layers);
  return layer != null && !layer.hasAttribute('data-closed');
}

/** @returns a function that finds the element to focus afterwards. The library reads it too late: a field may take the focus first. */
function useOpener({ isOpen, returnTo, onClosed }: DialogProps): () => HTMLElement | boolean {
  const opener = useRef<{ isOpen: boolean; element: Element | null }>({ isOpen: false, element: null });
  if (opener.current.isOpen !== isOpen)
    opener.current = { isOpen, element: isOpen ? document.activeElement : opener.current.element };
  return () => {
    // The library gives the focus back one microtask after it has asked for the element. No key may come before the rest.
    if (onClosed !== undefined) queueMicrotask(() => queueMicrotask(onClosed));
    if (isInOtherLayer()) return false;
    const { element } = opener.current;
    const found = [returnTo?.(), element, onPage].find((one) => one?.isConnected === true && one !== document.body);
    return found instanceof HTMLElement ? found : true;
  };
}

/** The keys that come before the code of dialogs belong to the dialog, and not to the page. */
function useTypeAhead({ isOpen, title, onClose }: DialogProps): void {
  useLayoutEffect(() => {
    // A finger wants no keyboard yet.
    if (!isOpen || loaded !== undefined || matchMedia('(pointer: coarse)').matches) return undefined;
    return typeAhead(title, onClose);
  }, [isOpen]);
}

export function Dialog(props: DialogProps) {
  const finalFocus = useOpener(props);
  const popups = usePopups(props.isOpen);
  useTypeAhead(props);
  // The library would close it a frame later, and take the keys of the page until then.
  return popups && props.isOpen && <popups.DialogPopup {...props} finalFocus={finalFocus} />;
}

export interface SheetProps {
  isOpen: boolean;
  onClose: () => void;
  /** The accessible name. */
  title: string;
  /** The edge of the screen that it slides in from. */
  from: 'end' | 'bottom';
  children: ReactNode;
}

/** A dialog at an edge of the screen. */
export function Sheet(props: SheetProps) {
  const popups = usePopups(props.isOpen);
  return popups && <popups.SheetPopup {...props} />;
}
