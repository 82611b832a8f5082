// The uploaded files of messages that are being sent: their addresses for gateways that fetch them, and their bytes for gateways that
// have to be given them.

import type { OutgoingFile } from '../../clients/chat-gateway.js';
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

  /** Whether gateways elsewhere can fetch files: PUBLIC_URL is configured. */
  get arePublic(): boolean {
    return this.options.addresses.arePublic;
  }

  /** @returns undefined where it is not known under which address gateways reach the service */
  addressOf(tenantId: string, messageId: string): string | undefined {
    return this.options.addresses.forGateway(tenantId, messageId);
  }

  /** @returns undefined where the message has none, or it is not kept any more */
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
