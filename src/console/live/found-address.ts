// Says by which e-mail address a search has found people whose name and number do not have what was typed.

import { useEffect, useState } from 'react';
import { ask } from '../api/client.js';
import { FoundAddressesDocument } from '../api/operations.js';
import { matchesIn } from './found-words.js';

interface Found {
  id: string;
  name: string;
  chat: string | null;
}

const minLength = 3;
const addresses = /[^\s"\\<>()[\],;:]+@[^\s"\\<>()[\],;:]+/g;
const none: ReadonlyMap<string, string> = new Map();

/** Returns what the server takes for an address or its beginning; undefined for any other text. */
function addressIn(text: string): string | undefined {
  const address = /[^\s"<>()[\],;:]+@[^\s"<>()[\],;:]*/.exec(text)?.[0] ?? text;
  return address.length < minLength || /\s/.test(address) ? undefined : address.toLowerCase();
}

/** Returns true if the name or the number explains why the lead was found. */
function isExplained({ name, chat }: Found, text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return matchesIn(name, text).length > 0 || (digits !== '' && chat?.includes(digits) === true);
}

/**
 * Asks once more for those alone who are shown without a reason.
 * @param found undefined until they are known
 * @returns the address of each of them by id, as it is stored
 */
export function useFoundAddresses(text: string, found: readonly Found[] | undefined): ReadonlyMap<string, string> {
  const [known, setKnown] = useState({ text: '', byId: none });
  const beginning = addressIn(text);
  const isDue = beginning !== undefined && found?.some((lead) => !isExplained(lead, text)) === true;
  const first = found?.length;
  useEffect(() => {
    if (!isDue) return undefined;
    let isLatest = true;
    const show = (byId: ReadonlyMap<string, string>) => isLatest && setKnown({ text, byId });
    ask(FoundAddressesDocument, { text, first }).then(
      ({ search }) =>
        show(
          new Map(
            search.leads.flatMap(({ id, customFields, metadata }) => {
              const own = JSON.stringify([customFields, metadata]).match(addresses) ?? [];
              const address = own.find((one) => one.toLowerCase().startsWith(beginning));
              return address === undefined ? [] : [[id, address] as const];
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
