import { describeDemo } from './demo.suite.js';

describe('the demo', describeDemo);
