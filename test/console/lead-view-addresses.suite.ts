// The address that shows a kept filter of the table of leads.

import { loadOfConsole, provideBrowserGlobals } from './browser-globals.js';

// The types are repeated here, because the console's own types need a browser's.
type Search = Record<string, string>;
type Filter = Record<string, unknown>;
interface LeadSearchModule {
  leadFilterOf: (search: Search) => Filter;
  leadOrderOf: (search: Search) => Filter;
  leadSearchOf: (filter: Filter, order: Filter) => Search | undefined;
}

export function describeLeadViewAddresses(): void {
  provideBrowserGlobals();

  let leadFilterOf: LeadSearchModule['leadFilterOf'];
  let leadOrderOf: LeadSearchModule['leadOrderOf'];
  let leadSearchOf: LeadSearchModule['leadSearchOf'];

  beforeAll(async () => {
    ({ leadFilterOf, leadOrderOf, leadSearchOf } = await loadOfConsole<LeadSearchModule>('pages/leads/lead-search.ts'));
  });

  it.each<Search>([
    {},
    { order: 'nameDown' },
    { order: 'quiet', status: 'CLOSED' },
    { tag: 'surf', source: 'Anúncio', assignee: 'nobody', since: '2026-11-03', until: '2026-11-09' },
    { assignee: '0197c1f0-0000-7000-8000-000000000001', waiting: 'true', optedOut: 'true', fromAd: 'true', ad: '77' },
  ])('lead back to the filter that they were kept from: %j', (search) => {
    expect(leadSearchOf(leadFilterOf(search), leadOrderOf(search))).toEqual(search);
  });

  it('are missing where an address cannot hold the filter', () => {
    for (const filter of [
      { unread: true },
      { tagsAny: ['a'] },
      { tagsAll: ['a', 'b'] },
      { sources: ['a', 'b'] },
      { optedOut: false },
      { numberValidity: 'INVALID' },
      { conversationStatuses: ['OPEN', 'CLOSED'] },
    ])
      expect(leadSearchOf(filter, { field: 'CREATED_AT' })).toBeUndefined();
  });

  it('show a day of the reader where the view was kept in another zone', () => {
    const since = new Date(2026, 10, 3, 5, 30).toISOString();
    expect(leadSearchOf({ since }, { field: 'NAME' })).toEqual({ since: '2026-11-03', order: 'name' });
  });
}
