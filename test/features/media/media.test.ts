import { describeFilePace } from '../../clients/file-pace.suite.js';
import { describeObjectStores } from '../../clients/object-store.suite.js';
import { describeMediaAddress } from './media-address.suite.js';
import { describeMedia } from '../../rest/media.suite.js';
import { describeInterruptedMedia } from './interrupted-media.suite.js';
import { describeMediaByTheClock } from './media-by-the-clock.suite.js';
import { describeMediaFiles } from './media.suite.js';
import { describeMediaType } from './media-type.suite.js';
import { describeProviderMedia } from './provider-media.suite.js';
import { describeUnreachableStore } from './unreachable-store.suite.js';
import { describeWahaMedia } from './waha-media.suite.js';

// These move the clock, so they come before the first application starts.
describe('interrupted media', () => describe('by the clock', describeMediaByTheClock));
describe('object stores', describeObjectStores);
describe('pace of files', describeFilePace);
describe('media addresses', describeMediaAddress);
describe('media type', describeMediaType);
describe('media over REST', describeMedia);
describe('media files', describeMediaFiles);
describe('provider media', describeProviderMedia);
describe('waha media', describeWahaMedia);
describe('a store of files that cannot be reached', describeUnreachableStore);
describe('interrupted media', describeInterruptedMedia);
