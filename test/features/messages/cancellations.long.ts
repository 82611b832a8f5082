import { describeManyCancellations } from './cancellations.suite.js';

describe('cancellations', describeManyCancellations);
