import { describeBuild } from './build.suite.js';
import { describeDemo } from './demo.suite.js';
import { describeMemoryFolder } from './memory-folder.suite.js';
import { describeShiftedClock } from './shifted-clock.suite.js';

describe('the build', describeBuild);
describe('the demo', describeDemo);
describe('a shifted clock', describeShiftedClock);
describe('the folder of temporary files', describeMemoryFolder);
