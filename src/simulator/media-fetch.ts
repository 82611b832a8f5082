// Fetches the file of a message as a gateway does: to see at once that its address is wrong, or to give it to a caller who asks for it.

import { GatewayError } from './gateway-error.js';

const MAX_BYTES = 100 * 1024 * 1024;
/** The limit of a file that is held in memory for an answer. */
const MAX_READ_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const MAX_AT_ONCE = 16;

export class MediaFetch {
  #underWay = 0;

  /** @throws GatewayError 400 `media_unreachable` where the address gives no file, 503 `busy` while 16 are being fetched */
  async check(url: string): Promise<void> {
    await this.#take(url, MAX_BYTES, () => {});
  }

  /** The bytes of a file of 32 MiB at most. @throws GatewayError as `check` */
  async read(url: string): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    await this.#take(url, MAX_READ_BYTES, (chunk) => chunks.push(chunk));
    return Buffer.concat(chunks);
  }

  async #take(url: string, maxBytes: number, keep: (chunk: Uint8Array) => void): Promise<void> {
    if (this.#underWay >= MAX_AT_ONCE) throw new GatewayError(503, 'busy', 'Too many files are being fetched');
    this.#underWay += 1;
    try {
      const problem = await takeFile(url, maxBytes, keep);
      if (problem !== undefined)
        throw new GatewayError(400, 'media_unreachable', `The address in media.url ${problem}`);
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** @returns the problem in words; undefined without one */
async function takeFile(url: string, maxBytes: number, keep: (chunk: Uint8Array) => void): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      return `answered ${answer.status}`;
    }
    let size = 0;
    // Leaving the loop ends the connection.
    for await (const chunk of answer.body ?? []) {
      size += (chunk as Uint8Array).byteLength;
      if (size > maxBytes) return `has more than ${maxBytes / 1024 / 1024} MiB`;
      keep(chunk as Uint8Array);
    }
    return size === 0 ? 'gave an empty file' : undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return `gave no file within ${TIMEOUT_MS / 1_000} s`;
    return 'could not be reached';
  }
}
