import { describeLineCheck } from './line-check.suite.js';
import { describeLineLifecycle } from './line-lifecycle.suite.js';
import { describeLinePause } from './line-pause.suite.js';

describe('line check', describeLineCheck);
describe('line lifecycle', describeLineLifecycle);
describe('line pause', describeLinePause);
