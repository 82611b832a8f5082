// Quick replies as texts: which word stands at the cursor, which templates it means, and what the field then has.

import {
  filesOf,
  maxOffered,
  putInPlace,
  slashWordAt,
  templatesFor,
  textFor,
} from '../../src/console/pages/conversation/quick-reply-text.js';
import {
  draftOf,
  isShortcut,
  shortcutOf,
  toChange,
  toCreation,
} from '../../src/console/pages/templates/template-draft.js';

const template = (name: string, shortcut: string | null, body = 'Oi') => ({
  id: name,
  name,
  body,
  shortcut,
  variables: [],
  files: [],
});

export function describeQuickReplyText(): void {
  test.each<[string, string, object | undefined]>([
    ['a slash alone', '/|', { start: 0, word: '' }],
    ['a word in any letter case', 'Oi /Hor|', { start: 3, word: 'hor' }],
    ['on a line of its own', 'Oi\n/preço-1|', { start: 3, word: 'preço-1' }],
    ['before further text', '/hor| amanhã', { start: 0, word: 'hor' }],
    ['nothing behind a blank', '/hor |', undefined],
    ['nothing in a date', '12/11|', undefined],
    ['nothing in an address', 'https://a|', undefined],
    ['nothing before the slash', '|/hor', undefined],
    ['nothing in a long word', `/${'a'.repeat(33)}|`, undefined],
  ])('%s', (_, written, found) => {
    const caret = written.indexOf('|');
    expect(slashWordAt(written.replace('|', ''), caret)).toEqual(found);
  });

  test('the shortcut that begins with the word comes first, then names that have it; bounded', () => {
    const all = [template('Horário', null), template('Price', 'horas'), template('Open', 'hor'), template('x', 'y')];
    expect(templatesFor(all, 'hor').map(({ name }) => name)).toEqual(['Open', 'Price', 'Horário']);
    expect(templatesFor(all, 'nothing')).toEqual([]);
    expect(templatesFor(all, '')).toHaveLength(4);
    const many = Array.from({ length: 50 }, (__, index) => template(`n${index}`, null));
    expect(templatesFor(many, '')).toHaveLength(maxOffered);
  });

  test('what is known of the lead is filled in, what it lacks is left out, and what the sender has to give is asked', () => {
    const ana = { name: 'Ana Lima', chat: '551', source: 'site', customFields: { plan: 'gold' } };
    expect(textFor('Oi {{lead.firstName}}, {{lead.customFields.plan}}!', ana)).toBe('Oi Ana, gold!');
    expect(textFor('Oi {{lead.firstName}}! {{lead.metadata.x}}', { ...ana, name: '551' })).toBe('Oi!');
    expect(textFor('{{day | amanhã}}', ana)).toBe('amanhã');
    expect(textFor('Até {{day}}', ana)).toBeUndefined();
    expect(textFor('{{lead.metadata.x}}', ana)).toBeUndefined();
  });

  test('the text stands in the place of the word', () => {
    expect(putInPlace('Oi /hor, sim', { start: 3, word: 'hor' }, 'das 9 às 18')).toEqual({
      text: 'Oi das 9 às 18, sim',
      caret: 14,
    });
    const file = { id: 'f', mimeType: 'image/png', fileName: null, size: 3 };
    expect(filesOf({ files: [file] }, 7)).toEqual([
      { id: 'f', name: 'image/png', mimeType: 'image/png', size: 3, uploadedAt: 7 },
    ]);
  });

  describe('the editor of templates', () => {
    const file = { id: 'f', mimeType: 'image/png', fileName: 'a.png', size: 3, url: '/media/f' };
    const stored = {
      id: 't',
      name: 'Hours',
      body: 'Oi',
      version: 3,
      shortcut: 'hor',
      visibility: 'SHARED',
      author: null,
      files: [file],
      createdAt: '',
      updatedAt: '',
      versions: [],
    } as const;

    test('sends what differs alone', () => {
      const current = { ...stored, files: [...stored.files], versions: [] };
      const draft = draftOf(current);
      expect(toChange({ ...draft, shortcut: ' /HOR ' }, current)).toEqual({});
      expect(toChange({ ...draft, shortcut: ' ', isPersonal: true, files: [] }, current)).toEqual({
        shortcut: null,
        visibility: 'PERSONAL',
        fileIds: [],
      });
      expect(toCreation({ name: ' a ', body: 'b', shortcut: '', isPersonal: false, files: [] })).toEqual({
        name: 'a',
        body: 'b',
      });
      expect(toCreation({ ...draft, isPersonal: true })).toEqual({
        name: 'Hours',
        body: 'Oi',
        shortcut: 'hor',
        visibility: 'PERSONAL',
        fileIds: ['f'],
      });
    });

    test('knows a shortcut', () => {
      expect(shortcutOf('/Preço')).toBe('preço');
      expect(['', '/a', 'a-b_1', '1'].map(isShortcut)).toEqual([true, true, true, true]);
      expect(['a b', '-a', 'a.b', '//a'].map(isShortcut)).toEqual([false, false, false, false]);
    });
  });
}
