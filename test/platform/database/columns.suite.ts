// Lists of columns: the SQL and the values of a statement with an array for each column.

import { Columns, Row } from '../../../src/platform/database/columns.js';

export function describeColumns(): void {
  interface Item {
    id: string;
    count: number | null;
    body: Buffer;
  }

  const columns = new Columns<Item>({
    id: ['uuid', ({ id }) => id],
    body: ['bytea', ({ body }) => body],
    count: ['int', ({ count }) => count],
  });

  test('parameters are numbered in the order of the columns, after the tenant', () => {
    expect(columns.array('id')).toBe('$2::uuid[]');
    expect(columns.array('count')).toBe('$6::int[]');
    expect(columns.rows('i', ['id', 'count'])).toBe('unnest($2::uuid[], $6::int[]) AS i (id, count)');
    expect(columns.numberedRows('i')).toBe(
      'unnest($2::uuid[], $4::int[], $5::int[], $6::int[]) WITH ORDINALITY AS i (id, body_start, body_length, count, position)',
    );
    expect(new Columns<Item>({ id: ['uuid', ({ id }) => id] }, 9).array('id')).toBe('$9::uuid[]');
  });

  test('bytes go as one value, with where each part starts and its length', () => {
    const items = ['ab', '', 'c'].map((text, index) => ({
      id: `id ${index}`,
      count: index || null,
      body: Buffer.from(text),
    }));
    expect(columns.valuesOf(items)).toEqual([
      '{"id 0","id 1","id 2"}',
      Buffer.from('abc'),
      '{1,3,3}',
      '{2,0,1}',
      '{NULL,1,2}',
    ]);
    expect(columns.bytes('body')).toBe('substring($3::bytea, body_start, body_length)');
    expect(columns.valuesOf([])).toEqual(['{}', Buffer.alloc(0), '{}', '{}', '{}']);
  });

  test('elements are written as PostgreSQL reads them', () => {
    const one = new Columns<{ text: string; at: Date | null }>({
      text: ['text', ({ text }) => text],
      at: ['timestamptz', ({ at }) => at],
    });
    const texts = ['', 'NULL', 'a,b', '{}', '"', '\\', 'back\\"slash', ' blank ', 'line\nbreak', 'Olá 😀'];
    expect(one.valuesOf(texts.map((text) => ({ text, at: null })))[0]).toBe(
      String.raw`{"","NULL","a,b","{}","\"","\\","back\\\"slash"," blank ","line` + '\nbreak","Olá 😀"}',
    );
    const years = ['2026-11-23T10:00:00.123Z', '+012345-01-02T00:00:00.000Z', '-000043-03-15T00:00:00.000Z'];
    expect(one.valuesOf(years.map((at) => ({ text: '', at: new Date(at) })))[1]).toBe(
      '{2026-11-23T10:00:00.123Z,12345-01-02T00:00:00.000Z,"0044-03-15T00:00:00.000Z BC"}',
    );
  });

  test('a single row has a parameter for each column, and keeps NULL', () => {
    interface Note {
      id: string;
      body: Buffer | null;
    }
    const row = new Row<Note>({ id: ['uuid', ({ id }) => id], body: ['bytea', ({ body }) => body] }, 3);
    expect([row.names, row.values, row.next]).toEqual(['id, body', '$3::uuid, $4::bytea', 5]);
    expect(row.value('body')).toBe('$4::bytea');
    expect(row.valuesOf({ id: 'id 0', body: null })).toEqual(['id 0', null]);
    expect(() => row.value('count')).toThrow('There is no column count');
  });

  test('a column that is not in the list is an error when the statement is built', () => {
    expect(() => columns.array('body')).toThrow('There is no column body');
    expect(() => columns.bytes('id')).toThrow('There is no column id');
  });
}
