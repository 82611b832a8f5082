import { describeInstanceCheck } from './instance-check.suite.js';
import { describeInstanceLifecycle } from './instance-lifecycle.suite.js';
import { describeInstanceNumber } from './instance-number.suite.js';
import { describeInstancePause } from './instance-pause.suite.js';

describe('instance check', describeInstanceCheck);
describe('instance lifecycle', describeInstanceLifecycle);
describe('instance number', describeInstanceNumber);
describe('instance pause', describeInstancePause);
