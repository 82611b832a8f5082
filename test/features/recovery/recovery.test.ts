import { describeRecovery } from './recovery.suite.js';

describe('recovery of messages', describeRecovery);
