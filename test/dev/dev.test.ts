import { describeBuild } from './build.suite.js';
import { describeDemo } from './demo.suite.js';

describe('the build', describeBuild);
describe('the demo', describeDemo);
