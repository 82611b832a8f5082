// The variables that a template asks for, and their values: for the inbox and for the network.

import { fillTemplate, readForm, variablesOf } from '../../../src/providers/meta/template-form.js';

const body = { type: 'BODY', text: 'Oi {{1}} e {{2}}, {{1}}' };

function fill(components: unknown[], variables: unknown) {
  return fillTemplate(readForm(components), variables);
}

export function describeChannelTemplateForm(): void {
  test('values go in the order of their numbers, where the text has another', () => {
    const filled = fill([{ type: 'BODY', text: 'Pedido {{2}}, olá {{1}}' }], { body: { 1: 'Ana', 2: '77' } });
    expect(filled).toMatchObject({
      body: 'Pedido 77, olá Ana',
      components: [
        {
          parameters: [
            { type: 'text', text: 'Ana' },
            { type: 'text', text: '77' },
          ],
        },
      ],
    });
  });

  test('a body is filled for the inbox, and its values go in the order of their placeholders', () => {
    expect(fill([body], { body: { 2: 'Bia', 1: 'Ana' } })).toEqual({
      body: 'Oi Ana e Bia, Ana',
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ana' },
            { type: 'text', text: 'Bia' },
          ],
        },
      ],
    });
  });

  test('named placeholders are sent by their names', () => {
    expect(fill([{ type: 'BODY', text: 'Oi {{first_name}}' }], { body: { first_name: 'Ana' } })).toEqual({
      body: 'Oi Ana',
      components: [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Ana' }] }],
    });
  });

  test('what has no variables has no components', () => {
    expect(
      fill(
        [
          { type: 'BODY', text: 'Oi' },
          { type: 'FOOTER', text: 'x' },
        ],
        null,
      ),
    ).toEqual({
      body: 'Oi',
      components: [],
    });
  });

  const link = 'https://files.example/a.png';
  test.each<[string, object, object, object]>([
    ['a picture', { format: 'IMAGE' }, { link }, { type: 'image', image: { link } }],
    ['a file of the network', { format: 'VIDEO' }, { id: '42' }, { type: 'video', video: { id: '42' } }],
    [
      'a document',
      { format: 'DOCUMENT' },
      { link, fileName: 'a.pdf' },
      { type: 'document', document: { link, filename: 'a.pdf' } },
    ],
    ['a text', { format: 'TEXT', text: 'Hi {{1}}' }, { 1: 'Ana' }, { type: 'text', text: 'Ana' }],
  ])('a header with %s', (_, header, variables, parameter) => {
    expect(fill([{ type: 'HEADER', ...header }], { header: variables })).toMatchObject({
      components: [{ type: 'header', parameters: [parameter] }],
    });
  });

  test('buttons take a value each, by their index', () => {
    const buttons = [
      { type: 'QUICK_REPLY', text: 'Yes' },
      { type: 'URL', url: 'https://shop.example/{{1}}' },
      { type: 'URL', url: 'https://shop.example' },
      { type: 'COPY_CODE' },
      { type: 'PHONE_NUMBER' },
    ];
    const form = readForm([{ type: 'BUTTONS', buttons }]);
    expect(variablesOf(form)).toEqual(['buttons.1', 'buttons.3']);
    const filled = { components: expect.arrayContaining([]) };
    expect(fillTemplate(form, { buttons: { 1: 'order-7', 3: { 1: 'SAVE10' } } })).toEqual({
      ...filled,
      body: '',
      components: [
        { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'order-7' }] },
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '3',
          parameters: [{ type: 'coupon_code', coupon_code: 'SAVE10' }],
        },
      ],
    });
  });

  test.each<[string, unknown[], unknown, string[]]>([
    ['no variables', [body], undefined, ['body.1', 'body.2']],
    ['one missing', [body], { body: { 1: 'a' } }, ['body.2']],
    ['one too many', [body], { body: { 1: 'a', 2: 'b', 3: 'c' } }, ['body.3']],
    ['another part', [body], { body: { 1: 'a', 2: 'b' }, foot: {} }, ['foot']],
    ['empty text', [body], { body: { 1: ' ', 2: 'b' } }, ['body.1']],
    ['a line break', [body], { body: { 1: 'a\nb', 2: 'b' } }, ['body.1']],
    ['a list', [body], { body: { 1: ['a'], 2: 'b' } }, ['body.1']],
    ['NUL', [body], { body: { 1: 'a\u0000', 2: 'b' } }, ['body.1']],
    ['a long value', [body], { body: { 1: 'a'.repeat(1_025), 2: 'b' } }, ['body.1', 'body']],
    ['a long text', [body], { body: { 1: 'a'.repeat(600), 2: 'b' } }, ['body']],
    ['text in place of variables', [body], 'x', ['', 'body.1', 'body.2']],
    ['a body that is none', [body], { body: 'x' }, ['body', 'body.1', 'body.2']],
    ['a header without its file', [{ type: 'HEADER', format: 'IMAGE' }], {}, ['header.link']],
    [
      'a header with a wrong address',
      [{ type: 'HEADER', format: 'IMAGE' }],
      { header: { link: 'x' } },
      ['header.link'],
    ],
    [
      'a name of a picture',
      [{ type: 'HEADER', format: 'IMAGE' }],
      { header: { link, fileName: 'a' } },
      ['header.fileName'],
    ],
    ['values without a header', [body], { body: { 1: 'a', 2: 'b' }, header: { 1: 'x' } }, ['header.1']],
    [
      'a code that is long',
      [{ type: 'BUTTONS', buttons: [{ type: 'COPY_CODE' }] }],
      { buttons: { 0: 'x'.repeat(16) } },
      ['buttons.0'],
    ],
    ['a button that is not there', [body], { body: { 1: 'a', 2: 'b' }, buttons: { 0: 'x' } }, ['buttons.0']],
  ])('%s: each wrong variable is named', (_, components, variables, paths) => {
    const filled = fill(components, variables);
    expect('errors' in filled ? filled.errors.map(({ path }) => path) : filled).toEqual(paths);
  });

  test.each<[string, unknown]>([
    ['a place', { type: 'HEADER', format: 'LOCATION' }],
    ['a carousel', { type: 'CAROUSEL', cards: [] }],
    ['a catalogue', { type: 'BUTTONS', buttons: [{ type: 'CATALOG' }] }],
    ['a button that is none', { type: 'BUTTONS', buttons: [null] }],
  ])('%s cannot be filled, and is told', (_, component) => {
    expect(readForm([body, component]).unknownPart).toEqual(expect.any(String));
  });

  test.each<[string, unknown[]]>([
    ['nothing', []],
    ['no objects', [null, 1, 'x', []]],
    [
      'wrong fields',
      [
        { type: 'BODY', text: 7 },
        { type: 'BUTTONS', buttons: 'x' },
      ],
    ],
  ])('%s is read without an error', (_, components) => {
    expect(fill(components, {})).toEqual({ body: '', components: [] });
  });
}
