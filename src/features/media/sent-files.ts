// The uploaded files of messages that are being sent: their addresses for gateways that fetch them, and their bytes for gateways that
// cannot fetch.

import type { OutgoingFile } from '../../providers/chat-gateway.js';
import type { MediaAddresses } from './media-address.js';
import type { MediaObjects } from './media-objects.js';
import type { MediaService } from './media.service.js';

export interface SentFilesOptions {
  media: MediaService;
  addresses: MediaAddresses;
  objects: MediaObjects;
}

export class SentFiles {
  constructor(private readonly options: SentFilesOptions) {}

  /** True if gateways elsewhere can fetch files, because PUBLIC_URL is configured. */
  get arePublic(): boolean {
    return this.options.addresses.arePublic;
  }

  /** @returns undefined while the service's address for gateways is not known */
  addressOf(tenantId: string, messageId: string): string | undefined {
    return this.options.addresses.forGateway(tenantId, messageId);
  }

  /** @returns undefined if the message has no stored file, or it is not kept any more */
  async find(tenantId: string, messageId: string): Promise<OutgoingFile | undefined> {
    const { media, objects } = this.options;
    const file = await media.findStored(tenantId, messageId);
    if (file === undefined) return undefined;
    const { objectId, mimeType, fileName, size, sha256 } = file;
    async function* bytes(): AsyncGenerator<Uint8Array> {
      const opened = await objects.open(tenantId, objectId);
      if (opened === undefined) throw new Error('the store has lost the file');
      yield* objects.atPace(tenantId, opened);
    }
    return { mimeType, fileName, size, sha256, bytes };
  }
}
