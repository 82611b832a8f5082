/** Returns the body of a call that creates a lead; undefined if the further fields are not a JSON object. */
export function leadBody(fields: { chat: string; name: string; source: string; further: string }): object | undefined {
  const { chat, name, source, further } = fields;
  const extra = further.trim() === '' ? {} : parseObject(further);
  if (extra === undefined) return undefined;
  return {
    ...extra,
    chat: chat.trim(),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(source.trim() !== '' && { source: source.trim() }),
  };
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
