// The pace of files: tenants take turns, chunk by chunk, however many files they have.

import { FilePace } from '../../src/clients/object-store/file-pace.js';

const chunkBytes = 1_000;

export function describeFilePace(): void {
  async function* chunks(count: number, onEnd: () => void = () => undefined): AsyncGenerator<Uint8Array> {
    try {
      for (let index = 0; index < count; index += 1) yield await Promise.resolve(Buffer.alloc(chunkBytes, index));
    } finally {
      onEnd();
    }
  }

  test('every byte passes, in its order, also of chunks that are larger than what passes at a time', async () => {
    const pace = new FilePace({ intervalMs: 1, bytes: 300 });
    const passed: number[] = [];
    for await (const chunk of pace.chunks('a', chunks(20))) passed.push(chunk[0] ?? -1, chunk.byteLength);
    expect(passed).toEqual(Array.from({ length: 20 }, (_, index) => [index, chunkBytes]).flat());
  });

  test('a tenant with one file gets as much as one with eight', async () => {
    const pace = new FilePace({ intervalMs: 1, bytes: chunkBytes });
    const order: string[] = [];
    const follow = async (tenant: string) => {
      for await (const _chunk of pace.chunks(tenant, chunks(10))) order.push(tenant);
    };
    await Promise.all([...Array.from({ length: 8 }, () => follow('many')), follow('one')]);
    // All ten chunks of the one file are among the first 24 of 90: without turns they would be spread over all.
    expect(order.lastIndexOf('one')).toBeLessThan(24);
    expect(order).toHaveLength(90);
  });

  test('a reader that stops early ends the source, and holds up nobody', async () => {
    const pace = new FilePace({ intervalMs: 1, bytes: chunkBytes });
    let hasEnded = false;
    for await (const _chunk of pace.chunks(
      'a',
      chunks(100, () => (hasEnded = true)),
    ))
      break;
    expect(hasEnded).toBe(true);
    let count = 0;
    for await (const _chunk of pace.chunks('a', chunks(5))) count += 1;
    expect(count).toBe(5);
  });
}
