// Bytes that are kept for a while.

/**
 * A text's UTF-8 in memory of its own: a small `Buffer.from` is a piece of one that Node shares out, and keeps all 64 KiB of it from being
 * freed.
 */
export function keptBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
