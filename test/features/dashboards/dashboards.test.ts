import { describeFigures } from './figures.suite.js';
import { describeInstanceTraffic } from './instance-traffic.suite.js';
import { describeMovedCounts } from './moved-counts.suite.js';
import { describeTimeRange } from './time-range.suite.js';

describe('figures', describeFigures);
describe('instance traffic', describeInstanceTraffic);
describe('moved counts', describeMovedCounts);
describe('time range', describeTimeRange);
