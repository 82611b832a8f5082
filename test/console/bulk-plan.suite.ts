// The plan that a page of bulk sends makes of a filter or a file: texts as the service renders them, recipients left out with a reason, and
// parts.

import { changesBetween } from '../../src/console/pages/templates/text-changes.js';
import { readCsvTable } from '../../src/console/pages/bulk/csv-file.js';
import {
  inputOf,
  namesOf,
  planSend,
  splitIntoParts,
  type Candidate,
  type Content,
} from '../../src/console/pages/bulk/send-plan.js';
import { missingOf, parseTemplate, renderParts } from '../../src/console/parts/template-text.js';
import * as service from '../../src/features/templates/template-text.js';

const lead = {
  id: '1',
  name: 'Ana Souza',
  chat: '5511988887777',
  source: 'web',
  metadata: { campaign: 'may', n: 3, deep: {} },
  customFields: { plan: 'pro', ok: true, blank: ' ' },
  optOut: null,
};

export function describeTemplateText(): void {
  const marks = ['{{', '}}', '{', '}', '"', '|', ' ', 'Oi', 'day', 'ação', '9'];
  const fields = ['lead.name', 'lead.firstName', 'lead.chat', 'lead.source', 'lead.other', 'lead.metadata.campaign'];
  const others = ['lead.metadata.n', 'lead.metadata.deep', 'lead.customFields.plan', 'lead.customFields.blank'];
  const places = ['{{"{{"}}', '{{day}}', '{{day | tomorrow}}', '{{day|}}', '{{lead.name | there}}'];
  const pieces = [...marks, ...fields, ...others, ...places, '{{lead.customFields.toString}}'];
  // The fixed seed makes every run the same.
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const bodies = Array.from({ length: 3_000 }, () =>
    Array.from({ length: 1 + next(7) }, () => pieces[next(pieces.length)]).join(''),
  );
  const leads = [
    lead,
    { ...lead, name: lead.chat },
    { ...lead, name: 'Hidden number 1234', chat: null, metadata: null },
    undefined,
  ];

  test('3,000 texts are read and rendered as the service does', () => {
    let rendered = 0;
    for (const [index, body] of bodies.entries()) {
      const [ours, theirs] = [parseTemplate(body), service.parseTemplate(body)];
      if ('problem' in ours || 'problem' in theirs) {
        expect(ours).toMatchObject({ position: 'problem' in theirs ? theirs.position : undefined });
        continue;
      }
      expect(ours).toEqual(theirs);
      const values: Record<string, string> = index % 2 === 0 ? { day: '{{9}}' } : {};
      const who = leads[index % leads.length];
      const answer = service.renderTemplate(theirs, new Map(Object.entries(values)), who);
      const parts = renderParts(ours, values, who);
      if ('missing' in answer) expect(missingOf(ours, values, who).toSorted()).toEqual(answer.missing.toSorted());
      else if ('text' in answer) {
        expect(parts.map((part) => ('text' in part ? part.text : '?')).join('')).toBe(answer.text);
        rendered += 1;
      }
    }
    expect(rendered).toBeGreaterThan(200);
  });

  test('differences of texts give both back', () => {
    for (let index = 1; index < 400; index += 1) {
      const [before = '', after = ''] = [bodies[index - 1], bodies[index]];
      const changes = changesBetween(before, after);
      const without = (kind: string) => changes.filter((change) => change.kind !== kind);
      expect(
        without('added')
          .map(({ text }) => text)
          .join(''),
      ).toBe(before);
      expect(
        without('removed')
          .map(({ text }) => text)
          .join(''),
      ).toBe(after);
    }
    expect(changesBetween('see you at {{time}}', 'see you {{day}} at {{time}}').map(({ kind }) => kind)).toEqual([
      'same',
      'added',
      'same',
    ]);
  });
}

export function describeBulkPlan(): void {
  const contentOf = (body: string): Content => {
    const template = parseTemplate(body);
    if ('problem' in template) throw new Error(template.problem);
    return { template };
  };

  test('each who is left out has a reason', () => {
    const candidates: Candidate[] = [
      { label: 'good', lead, row: { hour: '9' } },
      { label: 'again', lead, row: { hour: '10' } },
      { label: 'out', lead: { ...lead, id: '2', optOut: { at: 'now' } }, row: { hour: '9' } },
      { label: 'hidden', lead: { ...lead, id: '3', chat: null }, row: { hour: '9' } },
      { label: 'no hour', lead: { ...lead, id: '4' }, row: { hour: '' } },
      { label: 'no name', lead: { ...lead, id: '5', name: lead.chat }, row: { hour: '9' } },
      { label: 'nobody', row: {}, problem: 'unknown' },
      { label: 'by id', leadId: '6', row: { hour: '8' } },
    ];
    const content = contentOf('{{lead.firstName}}, {{hour}}');
    expect(namesOf(content)).toEqual(['hour']);
    const { recipients, skipped } = planSend(candidates, content, { hour: { from: 'column', column: 'hour' } });
    expect(recipients.map(inputOf)).toEqual([
      { leadId: '1', variables: { hour: '9' } },
      { leadId: '6', variables: { hour: '8' } },
    ]);
    expect(skipped.map(({ label, reason, detail }) => [label, reason, detail])).toEqual([
      ['again', 'repeated', undefined],
      ['out', 'optedOut', undefined],
      ['hidden', 'noNumber', undefined],
      ['no hour', 'missing', 'hour'],
      ['no name', 'missing', 'lead.firstName'],
      ['nobody', 'unknown', undefined],
    ]);
  });

  test('values of a channel template go by component', () => {
    const content: Content = { paths: ['header.1', 'body.1', 'body.2'] };
    const sources = {
      'header.1': { from: 'text', text: 'Oi' },
      'body.1': { from: 'lead', field: 'firstName' },
      'body.2': { from: 'column', column: 'hour' },
    } as const;
    const [planned] = planSend([{ label: 'Ana', lead, row: { hour: '9' } }], content, sources).recipients;
    expect(planned?.variables).toEqual({ header: { 1: 'Oi' }, body: { 1: 'Ana', 2: '9' } });
  });

  test('10,000 recipients are split so that each part fits into a call, in their order', () => {
    const recipients = Array.from({ length: 10_000 }, (_, index) => ({
      label: '',
      leadId: `01a206b3-c20f-7373-9dfe-${String(index).padStart(12, '0')}`,
    }));
    const parts = splitIntoParts(recipients);
    expect(parts.length).toBe(3);
    expect(parts.flat()).toEqual(recipients);
    for (const part of parts) expect(JSON.stringify(part.map(inputOf)).length).toBeLessThan(250_000);
    expect(splitIntoParts([])).toEqual([]);
  });

  test.each([
    ['commas', 'chat,name\n55,"Ana, ""A"""\n', [{ chat: '55', name: 'Ana, "A"' }]],
    ['semicolons, CRLF, a mark in front and blank lines', '\uFEFFid;x\r\n\r\n1; y \r\n', [{ id: '1', x: 'y' }]],
    ['tabs and a line break in a cell', 'chat\ttext\n1\t"a\nb"', [{ chat: '1', text: 'a\nb' }]],
    ['missing cells', 'chat,name\n1\n', [{ chat: '1', name: '' }]],
  ])('a file with %s', (_case, text, rows) => {
    expect(readCsvTable(text)).toMatchObject({ rows });
  });

  test('the column of numbers has any name, and titles may stand above it', () => {
    const text = 'Clientes, maio\n\nNome;\u200BTelefone;Cidade\nAna;+55 11 98888-7777;Rio\n';
    expect(readCsvTable(text)).toEqual({ problem: 'noColumn' });
    expect(readCsvTable(text, 'Telefone')).toEqual({
      columns: ['Nome', 'Telefone', 'Cidade'],
      who: { column: 'Telefone', kind: 'number' },
      rows: [{ Nome: 'Ana', Telefone: '+55 11 98888-7777', Cidade: 'Rio' }],
    });
  });

  test.each([
    ['nothing', 'chat\n', 'emptyFile'],
    ['no column of recipients', 'name\nAna\n', 'noColumn'],
    ['an open quotation mark', 'chat\n"1\n', 'notClosed'],
    ['too many rows', `chat\n${'1\n'.repeat(10_001)}`, 'tooManyRows'],
  ])('a file with %s is refused', (_case, text, problem) => {
    expect(readCsvTable(text)).toEqual({ problem });
  });
}
