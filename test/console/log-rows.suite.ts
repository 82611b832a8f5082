// The rows of the log: days, notes in their place, and held messages at the end and never twice. Also words, addresses and templates.

import { previewOf, toVariables } from '../../src/console/pages/conversation/channel-template.js';
import { toRows } from '../../src/console/pages/conversation/log-rows.js';
import { toParts } from '../../src/console/pages/conversation/outgoing-parts.js';
import { snoozeTimes, toLocalInput } from '../../src/console/parts/snooze-times.js';
import {
  answerRowsOf,
  authorOf,
  callNameOf,
  isEmptyMessage,
  mediaKindOf,
  piecesOf,
  statusOf,
} from '../../src/console/pages/conversation/words.js';
import { shownTimeOf } from '../../src/console/live/conversation-store.js';
import { emptyDraft, type Draft } from '../../src/console/live/drafts.js';
import type { HeldSend } from '../../src/console/live/held-sends.js';
import { idAt, messageAt } from './chat-message.js';

const me = { id: 'me', name: 'Me', email: 'me@example.com' };
const dayMinutes = 24 * 60;

function noteAt(place: number) {
  const createdAt = messageAt(place).createdAt;
  return { id: `note ${place}`, body: 'a note', createdAt, updatedAt: createdAt, author: me };
}

function heldOf(body: string, changes: Partial<HeldSend<Draft>> = {}): HeldSend<Draft> {
  const at = Date.parse(messageAt(9).createdAt);
  const base = { key: `key ${body}`, group: 'g', leadId: 'lead', owner: 'page', createdAt: at, dueAt: at + 5_000 };
  return { ...base, input: { leadId: 'lead', body }, draft: emptyDraft, state: 'held', expected: idAt(3), ...changes };
}

const shown = {
  messages: [messageAt(1), messageAt(3)],
  notes: [],
  held: [],
  hasOlder: false,
  hasNewer: false,
  userId: 'me',
};
const keysOf = (...args: Parameters<typeof toRows>) =>
  toRows(...args).map(({ kind, key }) => (kind === 'day' ? 'day' : key));

export function describeLogRows() {
  it('begins each day with a line', () => {
    const messages = [messageAt(1), messageAt(2), messageAt(2 + dayMinutes)];
    expect(keysOf({ ...shown, messages })).toEqual(['day', idAt(1), idAt(2), 'day', idAt(2 + dayMinutes)]);
  });

  it('puts notes in their place, and those outside of what is read nowhere', () => {
    const notes = [noteAt(0), noteAt(2), noteAt(5)];
    expect(keysOf({ ...shown, notes })).toEqual(['day', 'note 0', idAt(1), 'note 2', idAt(3), 'note 5']);
    expect(keysOf({ ...shown, notes, hasOlder: true, hasNewer: true })).toEqual(['day', idAt(1), 'note 2', idAt(3)]);
  });

  it('shows what is held at the end, and not beside its message', () => {
    const own = messageAt(4, { direction: 'OUTBOUND', author: me, body: 'hi' });
    const before = messageAt(2, { direction: 'OUTBOUND', author: me, body: 'hi' });
    const held = [heldOf('hi', { state: 'sending' })];
    expect(keysOf({ ...shown, held })).toEqual(['day', idAt(1), idAt(3), 'key hi']);
    expect(keysOf({ ...shown, messages: [before, messageAt(3)], held })).toContain('key hi');
    expect(keysOf({ ...shown, messages: [messageAt(3), own], held })).toEqual(['day', idAt(3), idAt(4)]);
    expect(keysOf({ ...shown, held: [heldOf('hi')], hasNewer: true })).not.toContain('key hi');
  });

  it('shows when a call was made or a notice came about, and any other message by its place', () => {
    const providerTimestamp = messageAt(1).createdAt;
    const late = { providerTimestamp };
    expect(shownTimeOf(messageAt(9, { ...late, type: 'call' }))).toBe(providerTimestamp);
    expect(shownTimeOf(messageAt(9, { ...late, type: 'notice', isNotice: true }))).toBe(providerTimestamp);
    expect(shownTimeOf(messageAt(9, late))).toBe(messageAt(9).createdAt);
    expect(shownTimeOf(messageAt(9, { type: 'call' }))).toBe(messageAt(9).createdAt);
    // A gateway's clock may be ahead.
    expect(shownTimeOf(messageAt(0, { ...late, type: 'call' }))).toBe(messageAt(0).createdAt);
  });

  it('names calls, and keeps what another call says', () => {
    expect([null, 'Voice call', 'Video call', 'Rang twice'].map((body) => callNameOf({ body }))).toEqual([
      'voiceCall',
      'voiceCall',
      'videoCall',
      null,
    ]);
  });

  it('reads the answers of a form in rows', () => {
    const answers = {
      home_city: 'Recife',
      days: ['Mon', 'Tue'],
      left: null,
      age: 7,
      agrees: true,
      address: { street: 'Rua A', has_lift: false },
      _: 'x',
    };
    expect(answerRowsOf(answers, { yes: 'yes', no: 'no', readable: (text) => text })).toEqual([
      { name: 'home city', value: 'Recife' },
      { name: 'days', value: 'Mon, Tue' },
      { name: 'left', value: '' },
      { name: 'age', value: '7' },
      { name: 'agrees', value: 'yes' },
      { name: 'address', value: 'street: Rua A, has lift: no' },
      { name: '_', value: 'x' },
    ]);
  });

  it('knows a message with nothing to show from one that was deleted, or that has a choice', () => {
    const choice = { kind: 'BUTTON' as const, id: 'a', title: 'Yes', description: null, answers: null };
    expect(isEmptyMessage(messageAt(1, { body: null }))).toBe(true);
    expect(isEmptyMessage(messageAt(1, { body: null, deletedAt: messageAt(2).createdAt }))).toBe(false);
    expect(isEmptyMessage(messageAt(1, { body: null, choice }))).toBe(false);
  });

  it('shows the name again after a notice', () => {
    const messages = [messageAt(1), messageAt(2, { isNotice: true }), messageAt(3)];
    const rows = toRows({ ...shown, messages }).flatMap((row) => (row.kind === 'message' ? [row.isFollowUp] : []));
    expect(rows).toEqual([false, true, false]);
  });

  it('names authors and statuses', () => {
    const names = { lead: 'Ana', phone: 'Phone', system: 'Automatic' };
    const outbound = { direction: 'OUTBOUND', author: null } as const;
    expect(authorOf(messageAt(1), names)).toBe('Ana');
    expect(authorOf({ ...outbound, author: { ...me, name: null }, origin: 'USER' }, names)).toBe('me@example.com');
    expect(authorOf({ ...outbound, origin: 'PHONE' }, names)).toBe('Phone');
    expect(authorOf({ ...outbound, origin: 'SYSTEM' }, names)).toBe('Automatic');
    expect(statusOf(messageAt(1))).toBeUndefined();
    expect(statusOf(messageAt(1, { status: 'QUEUED', scheduledFor: '2026-12-01T00:00:00Z' }))).toBe('scheduled');
    expect(statusOf(messageAt(1, { status: 'SENDING', error: { code: 'SEND_UNCONFIRMED', message: '' } }))).toBe(
      'unconfirmed',
    );
    expect(statusOf(messageAt(1, { status: 'READ' }))).toBe('read');
  });

  it('shows as a picture only what is one', () => {
    expect(mediaKindOf('image/png', 'image')).toBe('image');
    expect(mediaKindOf('image/svg+xml', 'image')).toBe('document');
    expect(mediaKindOf('text/html', 'image')).toBe('document');
    expect(mediaKindOf(null, 'audio')).toBe('audio');
    expect(mediaKindOf(null, 'sticker')).toBe('document');
  });

  it('makes links of web addresses alone', () => {
    expect(piecesOf('see https://example.com/a?b=c, ok')).toEqual([
      { text: 'see ' },
      { text: 'https://example.com/a?b=c', href: 'https://example.com/a?b=c' },
      { text: ', ok' },
    ]);
    expect(piecesOf('javascript:alert(1) <img src=x>')).toEqual([{ text: 'javascript:alert(1) <img src=x>' }]);
    expect(piecesOf('')).toEqual([]);
  });

  it('sends a text, or a message for each file with the text under the first', () => {
    const target = { leadId: 'lead', instanceId: 'i', sendAt: undefined };
    const quote = { id: 'q', author: 'Ana', text: 'hi', instanceId: 'i' };
    const file = (id: string) => ({ id, name: `${id}.pdf`, size: 1, mimeType: 'application/pdf', uploadedAt: 0 });
    expect(toParts({ ...emptyDraft, text: ' hi ' }, target).map(({ input }) => input)).toEqual([
      { leadId: 'lead', instanceId: 'i', body: 'hi' },
    ]);
    expect(toParts({ ...emptyDraft, text: '  ' }, target)).toEqual([]);
    const parts = toParts({ ...emptyDraft, text: 'two', quote, files: [file('a'), file('b')] }, target);
    expect(parts.map(({ input }) => input)).toEqual([
      { leadId: 'lead', instanceId: 'i', replyToMessageId: 'q', media: { id: 'a', fileName: 'a.pdf', caption: 'two' } },
      { leadId: 'lead', instanceId: 'i', media: { id: 'b', fileName: 'b.pdf' } },
    ]);
    expect(parts[0]?.draft).toMatchObject({ text: 'two', quote });
    expect(parts[1]?.draft).toMatchObject({ text: '', files: [{ id: 'b' }] });
    // Sound carries no text.
    const sound = { ...file('s'), name: 's.ogg', mimeType: 'audio/ogg; codecs=opus' };
    const heard = toParts({ ...emptyDraft, text: 'two', quote, files: [sound, file('b')] }, target);
    expect(heard.map(({ input }) => input)).toEqual([
      { leadId: 'lead', instanceId: 'i', replyToMessageId: 'q', body: 'two' },
      { leadId: 'lead', instanceId: 'i', media: { id: 's', fileName: 's.ogg' } },
      { leadId: 'lead', instanceId: 'i', media: { id: 'b', fileName: 'b.pdf' } },
    ]);
    expect(heard.map(({ draft }) => draft.text)).toEqual(['two', '', '']);
  });

  it('previews templates of the network, and gives their values by component', () => {
    const components = [
      { type: 'HEADER', text: 'Hi {{1}}' },
      { type: 'BODY', text: 'At {{ 1 }}, {{2}}' },
      { type: 'BUTTONS', buttons: [] },
    ];
    expect(previewOf(components, { 'header.1': 'Ana', 'body.1': '10:00' })).toBe('Hi Ana\nAt 10:00, {{2}}');
    expect(previewOf('?', {})).toBe('');
    expect(toVariables({ 'body.1': 'a', 'body.2': 'b', 'header.link': 'c' })).toEqual({
      body: { 1: 'a', 2: 'b' },
      header: { link: 'c' },
    });
  });

  it('snoozes until nine of the next day, and of a Monday to come', () => {
    const sunday = new Date(2026, 10, 22, 23, 30);
    const monday = new Date(2026, 10, 23, 8);
    expect(toLocalInput(snoozeTimes(sunday).hour)).toBe('2026-11-23T00:30');
    expect(toLocalInput(snoozeTimes(sunday).tomorrow)).toBe('2026-11-23T09:00');
    expect(toLocalInput(snoozeTimes(sunday).monday)).toBe('2026-11-23T09:00');
    expect(toLocalInput(snoozeTimes(monday).monday)).toBe('2026-11-30T09:00');
  });
}
