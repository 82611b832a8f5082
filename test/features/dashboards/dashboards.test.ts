import { describeFigures } from './figures.suite.js';
import { describeTimeRange } from './time-range.suite.js';

describe('figures', describeFigures);
describe('time range', describeTimeRange);
