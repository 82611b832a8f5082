// What counts as a yes in a consent field of a form. Forms send what their author wrote, so only words that are known to agree do.

const agreements = new Set(
  'true 1 on yes y sim sí si oui ja x checked accepted agree agreed granted aceito acepto'.split(' '),
);

/** Whether a field's value agrees: `true`, 1, a known word in any letter case, or a list that holds one. Anything else does not. */
export function isAgreement(value: unknown): boolean {
  if (typeof value === 'string') return agreements.has(value.trim().toLowerCase());
  return value === true || value === 1 || (Array.isArray(value) && value.some(isAgreement));
}
