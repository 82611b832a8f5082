// Forms of old sites write their texts as HTML: `O&#039;Brien`, `Jo&atilde;o &amp; Ana`.

const signs: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  nbsp: ' ',
  plus: '+',
  quot: '"',
  rsquo: '’',
  szlig: 'ß',
};
/** The ends of names such as `atilde`, and the marks that stand over the letter before. */
const marks: Readonly<Record<string, string>> = {
  acute: '\u0301',
  caron: '\u030C',
  cedil: '\u0327',
  circ: '\u0302',
  grave: '\u0300',
  ring: '\u030A',
  tilde: '\u0303',
  uml: '\u0308',
};

const entity = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z])(acute|caron|cedil|circ|grave|ring|tilde|uml)|([a-z]{2,6}));/gi;

/** In characters. Longer texts are neither names nor numbers, and anybody may send them. */
const maxLength = 10_000;

/** Returns a text with the characters that its entities stand for. What is no known entity stays. */
export function withoutEntities(text: string): string {
  if (text.length > maxLength) return text;
  return text.replaceAll(
    entity,
    (whole, hex?: string, decimal?: string, letter?: string, mark = '', name = '') =>
      characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ??
      (letter === undefined ? signs[name.toLowerCase()] : (letter + marks[mark.toLowerCase()]).normalize('NFC')) ??
      whole,
  );
}

function characterOf(code: number): string | undefined {
  const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
