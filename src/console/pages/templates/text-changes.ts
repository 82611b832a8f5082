// Compares two texts word by word.

export interface TextChange {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** The maximum number of words to compare. Longer texts count as changed completely. */
const maxCompared = 1_500;

export function changesBetween(before: string, after: string): TextChange[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  if (old.length > maxCompared || now.length > maxCompared) return wholeChange(before, after);
  const lengths = commonLengths(old, now);
  const width = now.length + 1;
  const changes: TextChange[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      add(changes, 'same', old[i] ?? '');
      i += 1;
      j += 1;
    } else if (j === now.length || (i < old.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)) {
      add(changes, 'removed', old[i] ?? '');
      i += 1;
    } else {
      add(changes, 'added', now[j] ?? '');
      j += 1;
    }
  }
  return changes;
}

function wholeChange(before: string, after: string): TextChange[] {
  if (before === after) return [{ kind: 'same', text: before }];
  return [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
}

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+/g) ?? [];

/** Returns the number of common words for each pair of text ends. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        old[i] === now[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  return lengths;
}

function add(changes: TextChange[], kind: TextChange['kind'], text: string): void {
  const last = changes.at(-1);
  if (last?.kind === kind) last.text += text;
  else changes.push({ kind, text });
}
