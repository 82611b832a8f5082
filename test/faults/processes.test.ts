import { describeDepartingProcess } from './departing-process.suite.js';
import { describeResumedFeeds } from './resumed-feeds.suite.js';

describe('departing process', describeDepartingProcess);
describe('resumed feeds', describeResumedFeeds);
