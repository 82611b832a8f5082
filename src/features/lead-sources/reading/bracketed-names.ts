// Form fields whose names say where they stand in a whole: `contacts[add][0][name]` is `{contacts: {add: [{name}]}}`.

/** More levels than these are no form's. */
const maxLevels = 12;
/** A blank before the bracket makes it a remark of the author: `Phone [mobile]`. */
const bracketedName = /^[^\s[\]](?:[^[\]]*[^\s[\]])?(?:\[[^[\]]+\])+$/;

type Level = Map<string, unknown>;

const hasBrackets = (name: string) => name.endsWith(']') && bracketedName.test(name);

/** Returns the fields with the bracketed ones put together. A field of the same name as a whole stays, and so do its parts. */
export function unfolded(fields: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(fields);
  if (!names.some(hasBrackets)) return fields;
  const top: Level = new Map();
  for (const name of names) {
    const path = hasBrackets(name) ? name.replaceAll(']', '').split('[') : [name];
    const [first = ''] = path;
    const isWhole = path.length > 1 && (path.length > maxLevels || Object.hasOwn(fields, first));
    if (isWhole || !put(top, path, fields[name])) top.set(name, fields[name]);
  }
  return Object.fromEntries([...top].map(([name, value]) => [name, builtOf(value)]));
}

/** @returns false where a part of the path is a value already */
function put(top: Level, path: readonly string[], value: unknown): boolean {
  let level = top;
  for (const name of path.slice(0, -1)) {
    const next = level.get(name) ?? new Map<string, unknown>();
    if (!(next instanceof Map)) return false;
    level.set(name, next);
    level = next as Level;
  }
  const last = path.at(-1) ?? '';
  if (level.has(last)) return false;
  level.set(last, value);
  return true;
}

/** Parts that are counted from 0 are a list, as `[0]` and `[1]`. */
function builtOf(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const parts = [...(value as Level)].map(([name, part]): [string, unknown] => [name, builtOf(part)]);
  const isList = parts.every(([name], index) => name === String(index));
  return isList ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}
