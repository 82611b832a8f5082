// Network templates: their text with values filled in, and their values by component.

interface Component {
  type?: string;
  text?: string;
}

/** Fills in values by path, such as `body.1`. A placeholder without a value stays in the text. */
export function previewOf(components: unknown, values: Readonly<Record<string, string>>): string {
  if (!Array.isArray(components)) return '';
  return (components as Component[])
    .flatMap(({ type = '', text }) => {
      if (text === undefined) return [];
      const part = type.toLowerCase();
      return [
        text.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/gu, (written, name: string) => values[`${part}.${name}`] || written),
      ];
    })
    .join('\n');
}

/** Turns `{'body.1': 'x'}` into `{body: {1: 'x'}}`. */
export function toVariables(values: Readonly<Record<string, string>>): Record<string, Record<string, string>> {
  const variables: Record<string, Record<string, string>> = {};
  for (const [path, value] of Object.entries(values)) {
    const dot = path.indexOf('.');
    const part = path.slice(0, dot);
    (variables[part] ??= {})[path.slice(dot + 1)] = value;
  }
  return variables;
}
