// Names as people write them, as keys that can be compared.

/** A name without accents, blanks, signs and letter case. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]|\p{M}/gu, '');
}
