// The words with which a form's consent field agrees. Forms send any word that their author wrote, so only known words count as a yes.

const agreements = new Set(
  'true 1 on yes y sim sí si oui ja x checked accepted agree agreed granted aceito acepto'.split(' '),
);

/** True if a field's value agrees: `true`, 1, a known word in any letter case, or a list that holds one of these. */
export function isAgreement(value: unknown): boolean {
  if (typeof value === 'string') return agreements.has(value.trim().toLowerCase());
  return value === true || value === 1 || (Array.isArray(value) && value.some(isAgreement));
}
