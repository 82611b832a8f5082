// Says by which tag or e-mail address a search has found people whose name and number do not have what was typed.

import { useEffect, useState } from 'react';
import { ask } from '../api/client.js';
import { FoundReasonsDocument } from '../api/operations.js';
import { matchesIn } from './found-words.js';

interface Found {
  id: string;
  name: string;
  chat: string | null;
}

const addresses = /[^\s"\\<>()[\],;:]+@[^\s"\\<>()[\],;:]+/g;
const none: ReadonlyMap<string, string> = new Map();

/** Returns what the server takes for an address or its beginning. */
function addressIn(text: string): string {
  return (/[^\s"<>()[\],;:]+@[^\s"<>()[\],;:]*/.exec(text)?.[0] ?? text).toLowerCase();
}

/** Returns true if the name or the number explains why the lead was found. */
function isExplained({ name, chat }: Found, text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return matchesIn(name, text).length > 0 || (digits !== '' && chat?.includes(digits) === true);
}

/**
 * Asks once more for those alone who are shown without a reason.
 * @param found undefined until they are known
 * @returns the tag or the address of each of them by id, as it is stored
 */
export function useFoundReasons(text: string, found: readonly Found[] | undefined): ReadonlyMap<string, string> {
  const [known, setKnown] = useState({ text: '', byId: none });
  const isDue = found?.some((lead) => !isExplained(lead, text)) === true;
  const first = found?.length;
  useEffect(() => {
    if (!isDue) return undefined;
    let isLatest = true;
    const written = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
    const isWritten = (tag: string) => tag === written;
    const show = (byId: ReadonlyMap<string, string>) => isLatest && setKnown({ text, byId });
    ask(FoundReasonsDocument, { text, first }).then(
      ({ search }) =>
        show(
          new Map(
            search.leads.flatMap(({ id, tags, customFields, metadata }) => {
              const own = JSON.stringify([customFields, metadata]).match(addresses) ?? [];
              const reason = tags.find(isWritten) ?? own.find((one) => one.toLowerCase().startsWith(addressIn(text)));
              return reason === undefined ? [] : [[id, reason] as const];
            }),
          ),
        ),
      () => show(none),
    );
    return () => {
      isLatest = false;
    };
  }, [isDue, text, first]);
  if (!isDue || known.text !== text) return none;
  return new Map([...known.byId].filter(([id]) => found.some((lead) => lead.id === id && !isExplained(lead, text))));
}
