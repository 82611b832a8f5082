import { describeDepartingProcess } from './departing-process.suite.js';
import { describeResumedFeeds } from './resumed-feeds.suite.js';
import { describeTopology } from './topology.suite.js';

describe('departing process', describeDepartingProcess);
describe('resumed feeds', describeResumedFeeds);
describe('topology', describeTopology);
