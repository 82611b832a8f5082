// Drafts: kept for each conversation, saved together, and put back in front of later text.

import { Drafts, emptyDraft, type Draft } from '../../src/console/live/drafts.js';

function create(kept = new Map<string, Draft>()) {
  const saves: string[] = [];
  const clock = { now: 1_000_000_000 };
  const drafts = new Drafts({
    now: () => clock.now,
    saveAfterMs: 60_000,
    maxDrafts: 3,
    uploadsLastMs: 1_000,
    save: (leadId, draft) => {
      saves.push(leadId);
      if (draft === undefined) kept.delete(leadId);
      else kept.set(leadId, draft);
    },
  });
  return { drafts, kept, saves, clock };
}

const text = (value: string): Draft => ({ ...emptyDraft, text: value });

export function describeDrafts() {
  it('saves the newest state of each once, and removes what is empty', () => {
    const { drafts, kept, saves } = create();
    for (const value of ['h', 'he', 'hello']) drafts.set('a', text(value));
    drafts.set('b', text('other'));
    drafts.flush();
    expect(saves.sort()).toEqual(['a', 'b']);
    expect(kept.get('a')?.text).toBe('hello');
    drafts.set('a', text(''));
    drafts.flush();
    expect([...kept.keys()]).toEqual(['b']);
    drafts.clear();
  });

  it('marks the leads that have one', () => {
    const { drafts } = create();
    const seen: string[][] = [];
    drafts.leadIds.subscribe(() => seen.push([...drafts.leadIds.value]));
    drafts.set('a', text('h'));
    drafts.set('a', text('he'));
    drafts.set('b', text('x'));
    drafts.set('a', text(''));
    expect(seen).toEqual([['a'], ['a', 'b'], ['b']]);
    drafts.set('b', text(' \n'));
    expect([...drafts.leadIds.value]).toEqual([]);
    expect(drafts.get('b').text).toBe(' \n');
    drafts.clear();
    expect(drafts.leadIds.value.size).toBe(0);
  });

  it('keeps the chosen instance, before anything is typed and after it was sent; it marks no lead', () => {
    const { drafts, kept } = create();
    drafts.set('a', { ...drafts.get('a'), instanceId: 'spare' });
    drafts.set('a', { ...drafts.get('a'), text: 'h' });
    expect(drafts.get('a')).toMatchObject({ text: 'h', instanceId: 'spare' });
    expect([...drafts.leadIds.value]).toEqual(['a']);
    drafts.set('a', { ...emptyDraft, instanceId: 'spare' });
    expect(drafts.get('a').instanceId).toBe('spare');
    expect([...drafts.leadIds.value]).toEqual([]);
    drafts.flush();
    expect(kept.get('a')?.instanceId).toBe('spare');
    drafts.set('a', { ...drafts.get('a'), instanceId: undefined });
    drafts.flush();
    expect([...kept.keys()]).toEqual([]);
    drafts.clear();
  });

  it('comes back after a reload, without uploads that have ended; what was typed meanwhile counts', () => {
    const { drafts, clock } = create();
    const file = { id: 'f', name: 'a.pdf', size: 1, mimeType: 'application/pdf' };
    const files = [
      { ...file, uploadedAt: clock.now },
      { ...file, id: 'old', uploadedAt: clock.now - 2_000 },
    ];
    drafts.set('b', text('typed'));
    drafts.restore([
      ['a', { ...text('kept'), files }],
      ['b', text('kept')],
    ]);
    expect(drafts.get('a').files.map(({ id }) => id)).toEqual(['f']);
    expect(drafts.get('b').text).toBe('typed');
    drafts.clear();
  });

  it('puts back what was taken back before what was typed since', () => {
    const { drafts } = create();
    const quote = { id: 'q', author: 'Ana', text: 'hi', instanceId: 'i' };
    drafts.set('a', text('since'));
    drafts.putBack('a', [{ ...text('first'), quote }, text('second')]);
    expect(drafts.get('a')).toMatchObject({ text: 'first\nsecond\nsince', quote });
    drafts.clear();
  });

  it('goes with a lead that was merged, before what was typed for the other', () => {
    const { drafts, kept } = create();
    drafts.set('gone', text('for the one'));
    drafts.set('kept', text('for the other'));
    drafts.move('gone', 'kept');
    drafts.move('elsewhere', 'kept');
    drafts.flush();
    expect([...kept.keys()]).toEqual(['kept']);
    expect(drafts.get('kept').text).toBe('for the one\nfor the other');
    drafts.clear();
  });

  it('keeps so many at most: the oldest goes', () => {
    const { drafts, kept } = create();
    for (const leadId of ['a', 'b', 'c', 'a', 'd']) drafts.set(leadId, text(leadId));
    drafts.flush();
    expect([...drafts.leadIds.value].sort()).toEqual(['a', 'c', 'd']);
    expect([...kept.keys()].sort()).toEqual(['a', 'c', 'd']);
    drafts.clear();
  });
}
