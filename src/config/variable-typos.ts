// Finds variables of the environment that nothing reads, and that look like a slip of the pen in one that is read.

import { configVariables } from './variables.js';

export interface LikelyTypo {
  /** As it stands in the environment. */
  name: string;
  /** The variable that it resembles. */
  meant: string;
}

const known = Object.keys(configVariables);
/** Longer names are somebody else's: comparing takes their length times ours. */
const maxLength = 64;

/** Variables that are unknown and one or two slips away from a known one that is not set itself. Values are not looked at. */
export function findLikelyTypos(environment: Readonly<Record<string, string | undefined>>): LikelyTypo[] {
  const unset = known.filter((name) => environment[name] === undefined);
  return Object.keys(environment)
    .filter((name) => !known.includes(name) && name.length <= maxLength)
    .flatMap((name) => {
      const meant = unset.find((candidate) => distance(name.toUpperCase(), candidate) <= slipsAllowed(candidate));
      return meant === undefined ? [] : [{ name, meant }];
    });
}

// Short names resemble much that is not ours: HOME and HOST are two letters apart.
function slipsAllowed({ length }: string): number {
  return length < 10 ? 1 : 2;
}

/** Letters to insert, leave out, replace or swap with their neighbour until one text is the other (optimal string alignment). */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = cell(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const best = Math.min(replaced, cell(last, column) + 1, cell(current, column - 1) + 1);
      current.push(swapped && row > 1 && column > 1 ? Math.min(best, cell(beforeLast, column - 2) + 1) : best);
    }
    [beforeLast, last] = [last, current];
  }
  return cell(last, b.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
