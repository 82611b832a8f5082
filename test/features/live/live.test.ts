import { describeEvents } from './events.suite.js';
import { describeFrameCache } from './frame-cache.suite.js';
import { describeLiveFeed } from './live-feed.suite.js';
import { describeSubscriptions } from './subscriptions.suite.js';

describe('events', describeEvents);
describe('frames', describeFrameCache);
describe('live feed', describeLiveFeed);
describe('subscriptions', describeSubscriptions);
