import { describeManyResumedFeeds } from './resumed-feeds.suite.js';
import { describeTopology } from './topology.suite.js';

describe('resumed feeds', describeManyResumedFeeds);
describe('topology', describeTopology);
