// Headers as people write them, one in each line, and as the API takes them.

/** Names and values; or the number, from 1, of the first line that is no header. */
export function readHeaders(text: string): { headers: Record<string, string> } | { wrongLine: number } {
  const headers: [string, string][] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, name, value] = /^\s*([^:\s]+)\s*:(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { wrongLine: index + 1 };
    headers.push([name, value.trim()]);
  }
  return { headers: Object.fromEntries(headers) };
}

export function writeHeaders(headers: Readonly<Record<string, unknown>>): string {
  return Object.entries(headers)
    .flatMap(([name, value]) => (typeof value === 'string' ? [`${name}: ${value}`] : []))
    .join('\n');
}

/** The text with this header in place of another one of its name. */
export function withHeader(text: string, name: string, value: string): string {
  const isOther = (line: string) => line.trim() !== '' && line.split(':')[0]?.trim().toLowerCase() !== name;
  return [...text.split('\n').filter(isOther), `${name}: ${value}`].join('\n');
}
