import { describeObjectStores } from '../../clients/object-store.suite.js';
import { describeMedia } from '../../rest/media.suite.js';
import { describeKilledMedia } from './killed-media.suite.js';
import { describeMediaFiles } from './media.suite.js';
import { describeMediaType } from './media-type.suite.js';
import { describeProviderMedia } from './provider-media.suite.js';

describe('object stores', describeObjectStores);
describe('media type', describeMediaType);
describe('media over REST', describeMedia);
describe('media files', describeMediaFiles);
describe('provider media', describeProviderMedia);
describe('killed media', describeKilledMedia);
