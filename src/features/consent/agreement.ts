// A consent field of a form counts as a yes only with a word that is known to agree: forms send any word that their author wrote.

const agreements = new Set(
  'true 1 on yes y sim sí si oui ja x checked accepted agree agreed granted aceito acepto'.split(' '),
);

/** Whether a field's value agrees: `true`, 1, a known word in any letter case, or a list that holds one. Anything else does not. */
export function isAgreement(value: unknown): boolean {
  if (typeof value === 'string') return agreements.has(value.trim().toLowerCase());
  return value === true || value === 1 || (Array.isArray(value) && value.some(isAgreement));
}
