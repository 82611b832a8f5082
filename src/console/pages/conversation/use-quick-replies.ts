// Offers templates while a word behind a slash stands at the cursor of the message field. The arrow keys choose, Enter and Tab insert,
// Escape closes.

import { useState, type KeyboardEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { QuickRepliesDocument, type QuickReplyFragment } from './operations.js';
import { putInPlace, slashWordAt, templatesFor, textFor, type SlashWord } from './quick-reply-text.js';

interface Options {
  leadId: string;
  text: string;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Takes the whole text of the field with the template in it. */
  onInsert: (text: string, template: QuickReplyFragment) => void;
  /** Takes a template whose values the sender has to give, the text without the word, and the cursor in it. */
  onAsk: (template: QuickReplyFragment, text: string, caret: number) => void;
}

export type QuickReplies = ReturnType<typeof useQuickReplies>;

export function useQuickReplies({ leadId, text, field, onInsert, onAsk }: Options) {
  const [caret, setCaret] = useState(0);
  const [closedAt, setClosedAt] = useState<number>();
  const [chosen, setChosen] = useState(0);
  const found = slashWordAt(text, caret);
  const place = found?.start === closedAt ? undefined : found;
  const { templates, lead, isLoading } = useTemplates(leadId, place);
  const offered = place === undefined ? [] : templatesFor(templates, place.word);
  const index = Math.min(chosen, Math.max(offered.length - 1, 0));

  const choose = (template: QuickReplyFragment | undefined) => {
    if (template === undefined || place === undefined) return;
    const rendered = textFor(template.body, lead);
    const put = putInPlace(text, place, rendered ?? '');
    setChosen(0);
    setCaret(put.caret);
    if (rendered === undefined) return onAsk(template, put.text, put.caret);
    // The next letter belongs behind the text that is put in.
    flushSync(() => onInsert(put.text, template));
    field.current?.focus();
    field.current?.setSelectionRange(put.caret, put.caret);
  };

  /** @returns true if the key belongs to the list */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (place === undefined || event.altKey || event.ctrlKey || event.metaKey) return false;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const isInserting = (event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab';
    // A shortcut that is typed faster than the templates come is not sent as a text.
    const isEarly = isInserting && isLoading;
    if (offered.length === 0 && !isEarly && event.key !== 'Escape') return false;
    if (event.key === 'Escape') setClosedAt(place.start);
    else if (step !== 0) setChosen((index + step + offered.length) % offered.length);
    else if (isInserting) choose(offered[index]);
    else return false;
    event.preventDefault();
    return true;
  };

  return {
    isOpen: place !== undefined && (offered.length > 0 || place.word === '' || isLoading),
    isLoading,
    offered,
    index,
    onKeyDown,
    choose,
    /** Follows the cursor. */
    follow: ({ selectionStart, selectionEnd }: HTMLTextAreaElement) => {
      const next = selectionStart === selectionEnd ? selectionStart : 0;
      if (next !== caret) setChosen(0);
      setCaret(next);
      // A word that was closed is offered again once the cursor has left it.
      if (closedAt !== undefined && next <= closedAt) setClosedAt(undefined);
    },
    close: () => setCaret(0),
  };
}

/** The templates, read when a slash is typed; of more than one page, those that have the word are read too. */
function useTemplates(leadId: string, place: SlashWord | undefined) {
  const load = (search: string | null) => () => askAgain(QuickRepliesDocument, { leadId, search });
  const first = useLoaded(place === undefined ? undefined : `quick replies ${leadId}`, load(null));
  const isMore = first.data?.templates.pageInfo.hasNextPage === true;
  const word = place?.word ?? '';
  const more = useLoaded(isMore && word !== '' ? `quick replies ${leadId} ${word}` : undefined, load(word));
  const read = [...(first.data?.templates.edges ?? []), ...(more.data?.templates.edges ?? [])];
  const templates = [...new Map(read.map(({ node }) => [node.id, node])).values()];
  const isLoading = place !== undefined && (first.data === undefined || more.isLoading) && first.error === undefined;
  return { templates, lead: first.data?.lead ?? undefined, isLoading };
}
