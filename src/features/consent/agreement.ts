// The words with which a form's consent field agrees. Forms send any word that their author wrote, so only known words count as a yes.

const agreements = new Set(
  'true 1 on yes y sim sí si oui ja x checked accepted agree agreed granted aceito acepto'.split(' '),
);

/** The first words of refusals. */
const refusals = new Set(
  'false 0 off no not n não nao nein non нет declined denied refused rejected disagree unchecked'.split(' '),
);

/**
 * True if a field's value agrees: `true`, 1, a known word in any letter case, or a list that holds one of these. A form that sends a hidden
 * field before its box sends both values, of which the last is the answer: a list that ends with a refusal does not agree.
 */
export function isAgreement(value: unknown): boolean {
  if (typeof value === 'string') return agreements.has(value.trim().toLowerCase());
  return value === true || value === 1 || (Array.isArray(value) && value.some(isAgreement) && !isRefusal(value.at(-1)));
}

function isRefusal(value: unknown): boolean {
  if (typeof value !== 'string') return value === false || value === 0;
  const [word = ''] = value
    .trim()
    .toLowerCase()
    .split(/[\s,.!;]/, 1);
  return refusals.has(word);
}
