// A paste is a file, or a text, as a person means it.

import { filesOfPaste } from '../../src/console/pages/conversation/pasted-files.js';

const picture = (name = 'image.png') => new File(['x'], name, { type: 'image/png' });
const now = new Date(2026, 10, 3, 14, 5);

export function describePastedFiles(): void {
  test.each(['text/html', 'text/rtf'])(
    'cells of a spreadsheet with %s are text, and their picture is not taken',
    (type) => {
      expect(filesOfPaste({ types: ['text/plain', type, 'Files'], files: [picture()] }, 'Picture', now)).toEqual([]);
    },
  );

  test('a screenshot gets a name with its time', () => {
    const [file] = filesOfPaste({ types: ['Files'], files: [picture()] }, 'Pasted picture', now);
    expect([file?.name, file?.type, file?.size]).toEqual(['Pasted picture 2026-11-03 14.05.png', 'image/png', 1]);
  });

  test("a page's picture comes with its markup and without words: it is a file", () => {
    expect(
      filesOfPaste({ types: ['text/html', 'Files'], files: [picture('image.jpeg')] }, 'Picture', now),
    ).toHaveLength(1);
  });

  test('files of a file manager keep their names, which come as text too', () => {
    const files = [picture('map.png'), new File(['y'], 'terms.pdf')];
    const pasted = filesOfPaste({ types: ['text/plain', 'Files'], files }, 'Picture', now);
    expect(pasted.map(({ name }) => name)).toEqual(['map.png', 'terms.pdf']);
  });

  test('a text has no files', () => {
    expect(filesOfPaste({ types: ['text/plain'], files: [] }, 'Picture', now)).toEqual([]);
  });
}
