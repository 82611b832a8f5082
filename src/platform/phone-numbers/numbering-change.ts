// Countries that gave every number more digits. A number of the former plan has one successor, so both writings are one person.

interface NumberingChange {
  former: RegExp;
  /** Gives the digits that now stand in front of a former national number. */
  prefixOf: (national: string) => string;
}

const formerLength = 11;

// Benin put 01 in front of every number in November 2024.
const benin: NumberingChange = { former: /^229([24569]\d{7})$/, prefixOf: () => '01' };

// Ivory Coast put the operator's digits in front in January 2021. The second digit of a mobile number named the operator, the third one of
// a fixed line.
const ivoryCoast: NumberingChange = { former: /^225([02-9]\d{7})$/, prefixOf: ivorianPrefixOf };

function ivorianPrefixOf(national: string): string {
  const [first = '', second = '', third = ''] = national;
  if (first === '2' || first === '3') return third === '8' ? '21' : third === '0' ? '25' : '27';
  if ('0123'.includes(second)) return '01';
  return '456'.includes(second) ? '05' : '07';
}

/**
 * Returns the present number of a number of a former plan; any other comes back as it is.
 * @param digits with country code
 */
export function toPresentPlan(digits: string): string {
  // Every message and lead comes by here, so a cheap test rules out other countries.
  if (digits.length !== formerLength || !digits.startsWith('22')) return digits;
  for (const { former, prefixOf } of [benin, ivoryCoast]) {
    const national = former.exec(digits)?.[1];
    if (national !== undefined) return digits.slice(0, 3) + prefixOf(national) + national;
  }
  return digits;
}
