// The language of signatures: which formats are taken, and what hostile names become.

import fc from 'fast-check';
import {
  defaultSignatureFormat,
  renderSignature,
  signatureFormatProblem,
} from '../../../src/features/tenants/message-signature.js';

export function describeMessageSignature(): void {
  test.each([
    ['the first format', defaultSignatureFormat],
    ['blanks around the variable', '_{{ operator.displayName }}_'],
    ['the variable twice', '{{operator.displayName}} ({{operator.displayName}})'],
    ['two lines', '*{{operator.displayName}}*\nSales'],
    ['no variable', 'The team'],
    ['lone braces', '{ {{operator.displayName}} }'],
  ])('takes %s', (_, format) => {
    expect(signatureFormatProblem(format)).toBeUndefined();
  });

  test.each([
    ['an unknown variable', '*{{operator.email}}:*', /no variable \{\{operator\.email\}\}.*operator\.displayName/],
    ['a field of the lead', '{{lead.name}}', /no variable/],
    ['a default', '{{operator.displayName | us}}', /no variable/],
    ['an empty variable', '{{}}', /no variable/],
    ['an open variable', '*{{operator.displayName:*', /braces/],
    ['closed braces alone', 'x}}', /braces/],
    ['a tab', 'x\ty', /control/],
    ['a carriage return', 'x\ry', /control/],
  ])('refuses %s', (_, format, sentence) => {
    expect(signatureFormatProblem(format)).toMatch(sentence);
  });

  test.each([
    ['Ana', '*Ana:*'],
    ['Ana *the best* Lima', '*Ana the best Lima:*'],
    ['_~`Ana`~_', '*Ana:*'],
    ['Ana\nLima\r\n\u2028x\u0085y', '*Ana Lima x y:*'],
    ['\u202Eana\u2066', '*ana:*'],
    ['> Ana', '*Ana:*'],
    ['{{operator.displayName}}', '*{{operator.displayName}}:*'],
    ['$& $1', '*$& $1:*'],
    ['علی‌رضا 👩‍💻', '*علی‌رضا 👩‍💻:*'],
  ])('the name %j', (name, line) => {
    expect(renderSignature(defaultSignatureFormat, name)).toBe(line);
  });

  test('there is no signature without a name, unless the format asks for none', () => {
    for (const name of [null, ' ', '*_*']) expect(renderSignature(defaultSignatureFormat, name)).toBeNull();
    expect(renderSignature('The team', null)).toBe('The team');
  });

  test('no name breaks the line or its formatting', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (name) => {
        const line = renderSignature(defaultSignatureFormat, name);
        if (line === null) return;
        expect(line.startsWith('*')).toBe(true);
        expect(line.endsWith(':*')).toBe(true);
        expect(line.slice(1, -2)).not.toMatch(/[*_~`\p{Cc}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
}
