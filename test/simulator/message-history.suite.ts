// The gateway's messages: their bounds, their order, and the effect of changes.

import { MessageHistory, type HistoryRow } from '../../src/simulator/message-history.js';

const said = (id: string, change: Partial<HistoryRow> = {}): HistoryRow => ({
  kind: 'message',
  instance: 'shop',
  id,
  number: '5511988887777',
  source: 'lead',
  at: 1_000,
  type: 'text',
  text: 'Oi',
  status: 'PENDING',
  isDeleted: false,
  isWithheld: false,
  ...change,
});

export function describeMessageHistory(): void {
  const idsOf = (history: MessageHistory) => history.list({}).map(({ id }) => id);

  test('holds 50,000 rows, and says how many it let go', () => {
    const history = new MessageHistory();
    for (let count = 0; count < 50_010; count += 1) history.add(said(String(count)));
    expect(history.find('shop', '9')).toBeUndefined();
    expect(history.find('shop', '10')).toBeDefined();
    expect(history.summarize({}, 1)).toMatchObject({ inbound: 50_000, forgotten: 10 });
  });

  test('holds 64 Mi characters', () => {
    const history = new MessageHistory();
    const text = 'x'.repeat(1_024 * 1_024);
    for (let count = 0; count < 80; count += 1) history.add(said(String(count), { text: text + count }));
    const { inbound, forgotten } = history.summarize({}, 1);
    expect(inbound).toBeLessThan(64);
    expect(inbound + forgotten).toBe(80);
    history.clear();
    expect(history.summarize({}, 1)).toMatchObject({ inbound: 0, forgotten: 0 });
  });

  test('is newest first, and of one second what came last', () => {
    const history = new MessageHistory();
    history.add(said('late', { at: 5_000 }));
    history.add(said('first', { at: 1_900 }));
    history.add(said('second', { at: 1_100 }));
    expect(idsOf(history)).toEqual(['late', 'second', 'first']);
  });

  test('an id counts once, by instance', () => {
    const history = new MessageHistory();
    history.add(said('a'));
    expect(history.add(said('a', { text: 'again' }))).toMatchObject({ text: 'Oi' });
    history.add(said('a', { instance: 'other' }));
    expect(history.list({ instance: 'shop' })).toHaveLength(1);
  });

  test('a status goes forward only', () => {
    const history = new MessageHistory();
    history.add(said('a', { source: 'api' }));
    expect(history.setStatus('shop', 'a', 'READ')).toMatchObject({ status: 'READ' });
    expect(history.setStatus('shop', 'a', 'SENT')).toMatchObject({ status: 'READ' });
    expect(history.setStatus('shop', 'unknown', 'SENT')).toBeUndefined();
  });

  test('an edit changes the words or the caption; a deletion is noted; neither is counted', () => {
    const history = new MessageHistory();
    const media = { url: 'https://files.example/a.png', caption: 'Old' };
    history.add(said('text'));
    history.add(said('file', { media, text: undefined }));
    history.add(said('e1', { kind: 'edit', about: 'text', text: 'New', at: 2_000 }));
    history.add(said('e2', { kind: 'edit', about: 'file', text: 'New', at: 2_000 }));
    history.add(said('d1', { kind: 'deletion', about: 'text', text: undefined }));
    history.add(said('d2', { kind: 'deletion', about: 'unknown', text: undefined }));
    expect(history.find('shop', 'text')).toMatchObject({ text: 'New', editedAt: 2_000, isDeleted: true });
    expect(history.find('shop', 'file')).toMatchObject({ media: { ...media, caption: 'New' }, isDeleted: false });
    expect(history.summarize({}, 10)).toMatchObject({ inbound: 2, outbound: 0 });
  });

  test('remembers 10,000 hidden ids', () => {
    const history = new MessageHistory();
    for (let count = 0; count < 10_001; count += 1) history.hide(`55${count}`, String(count));
    expect(history.numberOf('0')).toBeUndefined();
    expect(history.numberOf('10000')).toBe('5510000');
    expect(history.add(said('a', { number: '5510000' }))).toMatchObject({ lid: '10000' });
  });
}
