// The language of templates, as pure functions: parsing, rendering, and hostile bodies and values.

import fc from 'fast-check';
import {
  maxTemplateLength,
  maxTemplateVariables,
  parseTemplate,
  renderTemplate,
  type ParsedTemplate,
  type Rendering,
  type TemplateLead,
} from '../../../src/features/templates/template-text.js';
import { maxBodyLength } from '../../../src/providers/reported.schema.js';

/** A body, or a part of one, that renders to exactly this text. */
function escaped(text: string): string {
  // A brace at the end could open a variable together with the next part.
  return text.replaceAll(/\{{2,}|\{$/g, (braces) => `{{"${braces}"}}`);
}

const ana: TemplateLead = {
  name: 'Ana Maria Lima',
  chat: '5511988887777',
  source: 'site',
  metadata: null,
  customFields: {},
};

function parsed(body: string): ParsedTemplate {
  const template = parseTemplate(body);
  if ('problem' in template) throw new Error(`at ${template.position}: ${template.problem}`);
  return template;
}

function render(body: string, values: Record<string, string> = {}, lead?: TemplateLead): Rendering {
  return renderTemplate(parsed(body), new Map(Object.entries(values)), lead);
}

const variable = (name: string, text: string | null = null, isLeadField = false) => ({
  name,
  default: text,
  isLeadField,
});

export function describeTemplateText(): void {
  describe('what a body asks for', () => {
    test.each([
      ['nothing', 'Oi!', []],
      ['a variable', 'Oi {{name}}', [variable('name')]],
      ['blanks around the name', '{{  name\n}}', [variable('name')]],
      ['a number, as gateways number them', '{{1}} {{2}}', [variable('1'), variable('2')]],
      ['letters of any script, _ and -', '{{preço_do-dia}} {{名前}}', [variable('preço_do-dia'), variable('名前')]],
      ['a default', '{{name | meu amigo }}', [variable('name', 'meu amigo')]],
      ['an empty default', '{{name|}}', [variable('name', '')]],
      ['a default with a bar', '{{name| a | b }}', [variable('name', 'a | b')]],
      ['a lead field', '{{lead.name}}', [variable('lead.name', null, true)]],
      ['metadata', '{{lead.metadata.utm.source id}}', [variable('lead.metadata.utm.source id', null, true)]],
      ['each once, in order', '{{b}}{{a}}{{b}}', [variable('b'), variable('a')]],
      ['required where one place has no default', '{{a|x}}{{b|y}}{{a}}', [variable('a'), variable('b', 'y')]],
      ['the first default where all have one', '{{a|x}}{{a|y}}', [variable('a', 'x')]],
      ['no literal', '{{"{{a}}"}}', []],
    ])('%s', (_, body, variables) => {
      expect(parsed(body).variables).toEqual(variables);
    });

    test('100 different variables, and no more', () => {
      const body = (count: number) => Array.from({ length: count }, (_, index) => `{{v${index}}}`).join('');
      expect(parsed(body(maxTemplateVariables) + body(maxTemplateVariables)).variables).toHaveLength(100);
      expect(parseTemplate(body(101))).toEqual({
        position: body(100).length + 1,
        problem: expect.stringMatching(/100/),
      });
    });
  });

  describe('what cannot be read', () => {
    test.each([
      ['never closed', 'Oi {{name', 4, /not closed/],
      ['closed by one brace', '{{name}', 1, /not closed/],
      ['opened within', 'a {{ b {{c}} }}', 3, /not closed/],
      ['without a name', '{{}}', 1, /named with/],
      ['a blank name', '{{ | x}}', 1, /named with/],
      ['a name with a blank', 'x{{first name}}', 2, /named with/],
      ['a name with a dot', '{{a.b}}', 1, /named with/],
      ['a name that starts with a hyphen', '{{-a}}', 1, /named with/],
      ['a long name', `{{${'a'.repeat(65)}}}`, 1, /named with/],
      ['three braces', '{{{name}}}', 1, /named with/],
      ['a second one, not the first', '{{a}} {{b', 7, /not closed/],
      ['an unknown lead field', '{{lead.nmae}}', 1, /lead\.firstName.*lead\.metadata\.<key>/],
      ['metadata without a key', '{{lead.metadata.}}', 1, /lead\.metadata\.<key>/],
      ['a custom field without a name', '{{lead.customFields.}}', 1, /lead\.customFields\.<key>/],
      ['all custom fields', '{{lead.customFields}}', 1, /lead\.customFields\.<key>/],
      ['metadata with a long key', `{{lead.metadata.${'k'.repeat(101)}}}`, 1, /lead\.metadata\.<key>/],
      ['a literal that goes on', '{{"a" b}}', 1, /named with/],
      ['a literal that does not end', '{{"a}}', 1, /named with/],
    ])('%s', (_, body, position, problem) => {
      expect(parseTemplate(body)).toEqual({ position, problem: expect.stringMatching(problem) });
    });

    // A parser that looks back or begins again for each brace would not come to an end here in a test's time.
    test.each([
      ['braces', '{'.repeat(10_000)],
      ['opened without end', '{{a'.repeat(200_000)],
      ['closed without beginning, then opened', `${'}}'.repeat(500_000)}{{`],
      ['quotes without end', `{{"${'"'.repeat(1_000_000)}`],
      ['a quote after blanks without end', `{{${' '.repeat(1_000_000)}"`],
      ['a name without end', `{{${'a'.repeat(1_000_000)}}}`],
      ['lead. without end', `{{${'lead.'.repeat(200_000)}}}`],
      ['variables, the last of which is wrong', `${'{{a}}'.repeat(200_000)}{{`],
    ])('hostile: %s', (_, body) => {
      expect(parseTemplate(body)).toEqual({ position: expect.any(Number), problem: expect.any(String) });
    });
  });

  describe('rendering', () => {
    test.each<[string, string, Record<string, string>, string]>([
      ['text as it is, ends included', ' Oi }} { } \\ "x" \n', {}, ' Oi }} { } \\ "x" \n'],
      ['a value', 'Oi {{name}}!', { name: 'Ana' }, 'Oi Ana!'],
      ['an empty value goes before the default', '[{{name|x}}]', { name: '' }, '[]'],
      ['the default', 'Oi {{name | amigo}}!', {}, 'Oi amigo!'],
      ['each place with its own default', '{{a|x}}{{a|y}}', {}, 'xy'],
      ['an empty default', 'Oi{{name|}}!', {}, 'Oi!'],
      ['a literal', '{{"{{"}}name}} {{ "a }} b" }}', {}, '{{name}} a }} b'],
      ['an empty literal', 'a{{""}}b', {}, 'ab'],
      ['a brace before a value', '{{"{"}}{{name}}}', { name: 'Ana' }, '{Ana}'],
      ['values that look like variables', '{{a}}{{b}}', { a: '{{b}}', b: '{{a}}' }, '{{b}}{{a}}'],
      ['replacement patterns', '{{a}}', { a: '$& $1 $$' }, '$& $1 $$'],
      ['what is not asked for', 'Oi', { name: 'Ana' }, 'Oi'],
      ['names that objects inherit', '{{__proto__}}{{constructor}}', { constructor: 'C', ['__proto__']: 'P' }, 'PC'],
    ])('%s', (_, body, values, text) => {
      expect(render(body, values)).toEqual({ text });
    });

    test('everything that is missing, once, in the order of the body', () => {
      expect(render('{{b}}{{a|x}}{{lead.name}}{{b}}{{c}}', { a: 'A' })).toEqual({ missing: ['b', 'lead.name', 'c'] });
      expect(render('{{toString}}{{__proto__}}')).toEqual({ missing: ['toString', '__proto__'] });
      expect(render('{{a|x}}{{a}}')).toEqual({ missing: ['a'] });
    });

    test('a text of the full length is one; one more is too long, and none is none', () => {
      const body = `{{a}}${'x'.repeat(maxTemplateLength - 5)}`;
      expect(render(body, { a: '12345' })).toEqual({ text: expect.stringMatching(/^12345x+$/) });
      expect(render(body, { a: '123456' })).toEqual({ problem: expect.stringMatching(/longer than 4096/) });
      expect(render('{{a}}{{a|}}', { a: '' })).toEqual({ problem: 'the text would be empty' });
      expect(render('')).toEqual({ problem: 'the text would be empty' });
      expect(render(' {{a}}\n', { a: ' ' })).toEqual({ problem: 'the text would be empty' });
    });

    test('a character counts once, however many units it has', () => {
      expect(render('🙂'.repeat(maxTemplateLength))).toEqual({ text: expect.stringMatching(/^🙂+$/u) });
      expect(render('🙂'.repeat(maxTemplateLength + 1))).toEqual({
        problem: expect.stringMatching(/longer than 4096/),
      });
    });

    test('much too long a text is never put together', () => {
      const metadata = { long: 'x'.repeat(16_000) };
      const rendering = render('{{lead.metadata.long}}'.repeat(180), {}, { ...ana, metadata });
      expect(rendering).toEqual({ problem: expect.stringMatching(/longer/) });
    });

    test('what is rendered fits into a message', () => {
      expect(maxTemplateLength).toBeLessThanOrEqual(maxBodyLength);
    });
  });

  describe("a lead's fields", () => {
    const all = '{{lead.name}}|{{lead.firstName}}|{{lead.chat}}|{{lead.source}}';

    test('stand in the text; what is given goes before them', () => {
      expect(render(all, {}, ana)).toEqual({ text: 'Ana Maria Lima|Ana|5511988887777|site' });
      expect(render('{{lead.name}} {{lead.chat}}', { 'lead.name': 'Dona Ana' }, ana)).toEqual({
        text: 'Dona Ana 5511988887777',
      });
    });

    test.each([
      ['the number', { name: '5511988887777' }],
      ['a hidden number', { name: 'Hidden number 4321', chat: null }],
    ])('a name that is only %s is none', (_, fields) => {
      const lead = { ...ana, ...fields };
      expect(render('{{lead.name}}{{lead.firstName}}', {}, lead)).toEqual({ missing: ['lead.name', 'lead.firstName'] });
      expect(render('Oi {{lead.firstName | tudo bem}}?', {}, lead)).toEqual({ text: 'Oi tudo bem?' });
    });

    test('a hidden number is missing', () => {
      expect(render('{{lead.chat}}', {}, { ...ana, chat: null })).toEqual({ missing: ['lead.chat'] });
    });

    test.each<[string, unknown, Rendering]>([
      ['text', { key: 'a {{b}}' }, { text: 'a {{b}}' }],
      ['a number', { key: 1.5 }, { text: '1.5' }],
      ['zero', { key: 0 }, { text: '0' }],
      ['a boolean', { key: false }, { text: 'false' }],
      ['blank text', { key: ' ' }, { missing: ['lead.metadata.key'] }],
      ['null', { key: null }, { missing: ['lead.metadata.key'] }],
      ['an object', { key: { toString: 'x' } }, { missing: ['lead.metadata.key'] }],
      ['a list', { key: ['x'] }, { missing: ['lead.metadata.key'] }],
      ['another key', { other: 'x' }, { missing: ['lead.metadata.key'] }],
      ['no metadata', null, { missing: ['lead.metadata.key'] }],
      ['metadata that are a list', ['x'], { missing: ['lead.metadata.key'] }],
      ['metadata that are text', 'x', { missing: ['lead.metadata.key'] }],
    ])('metadata: %s', (_, metadata, rendering) => {
      expect(render('{{lead.metadata.key}}', {}, { ...ana, metadata })).toEqual(rendering);
    });

    test('custom fields, by their names', () => {
      const lead = { ...ana, metadata: { plan: 'other' }, customFields: { plan: 'gold', 'next visit': 3, vip: true } };
      const body = '{{lead.customFields.plan}} {{ lead.customFields.next visit | never }} {{lead.customFields.vip}}';
      expect(render(body, {}, lead)).toEqual({ text: 'gold 3 true' });
      expect(render(body, {}, ana)).toEqual({ missing: ['lead.customFields.plan', 'lead.customFields.vip'] });
    });

    test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__proto__.polluted'])(
      'metadata: %s is missing unless the lead brought it',
      (key) => {
        const body = `{{lead.metadata.${key}}}`;
        const lead = (json: string) => ({ ...ana, metadata: JSON.parse(json) as unknown });
        expect(render(body, {}, lead('{}'))).toEqual({ missing: [`lead.metadata.${key}`] });
        expect(render(body, {}, lead(`{"${key}":"own"}`))).toEqual({ text: 'own' });
      },
    );
  });

  describe('properties', () => {
    const bits = fc.constantFrom('{', '}', '{{', '}}', '"', '|', ' ', 'a', 'lead.', '\\', 'é', '😀', '\n', '{{"{{"}}');
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(bits, { maxLength: 40 }).map((parts) => parts.join('')),
    );

    test('an escaped text is rendered to itself', () => {
      fc.assert(
        fc.property(
          text.filter((value) => value.trim() !== ''),
          (value) => {
            expect(parsed(escaped(value)).variables).toEqual([]);
            expect(render(escaped(value))).toEqual({ text: value });
          },
        ),
        { numRuns: 2_000 },
      );
    });

    test('escaped texts and variables put together stay what they are, whatever the values', () => {
      fc.assert(
        fc.property(text, text, text, (before, value, after) => {
          const body = `${escaped(before)}{{a}}${escaped(after)}.`;
          expect(parsed(body).variables).toEqual([variable('a')]);
          expect(render(body, { a: value })).toEqual({ text: `${before}${value}${after}.` });
        }),
        { numRuns: 2_000 },
      );
    });

    test('any body is read or refused with a position in it, and then rendered without a throw', () => {
      fc.assert(
        fc.property(text, fc.dictionary(fc.string(), fc.string()), (body, values) => {
          const template = parseTemplate(body);
          if ('problem' in template) {
            expect(body.slice(template.position - 1)).toMatch(/^\{\{/);
            return;
          }
          const rendering = renderTemplate(template, new Map(Object.entries(values)), { ...ana, metadata: values });
          expect(Object.keys(rendering)).toHaveLength(1);
          if ('missing' in rendering)
            for (const name of rendering.missing)
              expect(template.variables).toContainEqual(expect.objectContaining({ name, default: null }));
        }),
        { numRuns: 2_000 },
      );
    });
  });
}
