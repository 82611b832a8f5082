// Fetches the file of a message as a gateway does, so that a wrong address shows at once. The bytes are counted and dropped.

import { GatewayError } from './gateway-error.js';

const MAX_BYTES = 100 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const MAX_AT_ONCE = 16;

export class MediaFetch {
  #underWay = 0;

  /** @throws GatewayError 400 `media_unreachable` where the address gives no file, 503 `busy` while 16 are being fetched */
  async check(url: string): Promise<void> {
    if (this.#underWay >= MAX_AT_ONCE) throw new GatewayError(503, 'busy', 'Too many files are being fetched');
    this.#underWay += 1;
    try {
      const problem = await problemOf(url);
      if (problem !== undefined)
        throw new GatewayError(400, 'media_unreachable', `The address in media.url ${problem}`);
    } finally {
      this.#underWay -= 1;
    }
  }
}

async function problemOf(url: string): Promise<string | undefined> {
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
      if (size > MAX_BYTES) return `has more than ${MAX_BYTES / 1024 / 1024} MiB`;
    }
    return size === 0 ? 'gave an empty file' : undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return `gave no file within ${TIMEOUT_MS / 1_000} s`;
    return 'could not be reached';
  }
}
