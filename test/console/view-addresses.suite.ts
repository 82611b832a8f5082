// The address that shows a kept filter of the inbox.

import { inboxQueryOf, searchOf } from '../../src/console/live/inbox-filter.js';

export function describeViewAddresses(): void {
  const user = '0197c1f0-0000-7000-8000-000000000001';

  it.each([
    {},
    { view: 'mine' },
    { view: 'waiting', order: 'newest' },
    { view: 'closed', tag: 'surf', instance: user, fromAd: 'true', ad: '77' },
  ])('leads back to the filter that it was kept from: %j', (search) => {
    const { filter, orderBy } = inboxQueryOf(search, user);
    const found = searchOf(filter, orderBy, user);
    expect(inboxQueryOf(found ?? {}, user)).toEqual(inboxQueryOf(search, user));
  });

  it('is missing where an address cannot hold the filter', () => {
    for (const filter of [{ unread: true }, { tagsAny: ['a'] }, { assigneeId: 'another' }, { hasReferral: false }])
      expect(searchOf({ conversationStatuses: ['OPEN'], ...filter }, 'NEWEST_MESSAGE', user)).toBeUndefined();
  });
}
