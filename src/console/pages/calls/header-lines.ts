// Converts headers between text, with one header on each line, and the API's form.

/** Returns the headers by name, or the number of the first invalid line, counted from 1. */
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

/** Returns the text with this header, which replaces another of the same name. */
export function withHeader(text: string, name: string, value: string): string {
  const isOther = (line: string) => line.trim() !== '' && line.split(':')[0]?.trim().toLowerCase() !== name;
  return [...text.split('\n').filter(isOther), `${name}: ${value}`].join('\n');
}
