// Builds the services of media: uploads, fetching, addresses, and the store of the bytes.

import type { ObjectStore } from '../../clients/object-store/object-store.js';
import type { UrlMediaSource } from '../../providers/url-media-source.js';
import type { Config } from '../../config/config.js';
import type { Foundation } from '../../platform/foundation.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import type { MessageService } from '../messages/message.service.js';
import { FetchResultService } from './fetch-result.service.js';
import { MediaAddresses } from './media-address.js';
import { MediaFetcher } from './media-fetcher.js';
import { MediaObjects } from './media-objects.js';
import { MediaService } from './media.service.js';
import { SentFiles } from './sent-files.js';
import { TemplateFileService } from './template-files.service.js';
import { UploadService } from './upload.service.js';

// The limit of a tenant leaves room for others beside slow servers.
const fetchesAtOncePerTenant = 4;
const fetchesAtOnce = 16;
const fetchTimeoutMs = 300_000;
const fetchLeaseMs = 360_000;
const fetchSweepIntervalMs = 5_000;
const deletionSweepIntervalMs = 30_000;

export interface MediaParts {
  store: ObjectStore;
  plainSource: UrlMediaSource;
  endpoints: GatewayEndpoints;
  messages: MessageService;
}

export function createMedia(foundation: Foundation, parts: MediaParts, config: Config) {
  const { database, transactor, queue, log, metrics } = foundation;
  const { store, plainSource, endpoints, messages } = parts;
  const { encryptionKey, encryptionKeyPrevious, publicUrl } = config;
  const secrets = [encryptionKey, ...(encryptionKeyPrevious === undefined ? [] : [encryptionKeyPrevious])];
  const mediaAddresses = new MediaAddresses({ secrets, publicUrl });
  const mediaObjects = new MediaObjects({ database, store, log, metrics, sweepIntervalMs: deletionSweepIntervalMs });
  const { retentionDays } = config.media;
  const addresses = mediaAddresses;
  const media = new MediaService({ database, transactor, queue, messages, addresses, endpoints, retentionDays });
  return {
    mediaAddresses,
    mediaObjects,
    media,
    sentFiles: new SentFiles({ media, addresses: mediaAddresses, objects: mediaObjects }),
    uploads: new UploadService({ database, objects: mediaObjects }),
    templateFiles: new TemplateFileService(database, mediaAddresses),
    mediaFetcher: new MediaFetcher({
      database,
      objects: mediaObjects,
      endpoints,
      results: new FetchResultService({ database, transactor, metrics }),
      plainSource,
      log,
      concurrency: fetchesAtOncePerTenant,
      totalConcurrency: fetchesAtOnce,
      timeoutMs: fetchTimeoutMs,
      leaseMs: fetchLeaseMs,
      sweepIntervalMs: fetchSweepIntervalMs,
    }),
  };
}
