import { describeEvents } from './events.suite.js';
import { describeFrames } from './frames.suite.js';
import { describeLiveFeed } from './live-feed.suite.js';
import { describeSubscriptions } from './subscriptions.suite.js';

describe('events', describeEvents);
describe('frames', describeFrames);
describe('live feed', describeLiveFeed);
describe('subscriptions', describeSubscriptions);
