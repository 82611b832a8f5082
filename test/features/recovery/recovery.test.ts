import { describeInstanceHabit } from './instance-habit.suite.js';
import { describeLiveness } from './liveness.suite.js';
import { describeMissedStatuses } from './missed-statuses.suite.js';
import { describeRecovery } from './recovery.suite.js';
import { describeWithheldMessages } from './withheld-messages.suite.js';

describe('habits and places', describeInstanceHabit);
describe('recovery of messages', describeRecovery);
describe('missed statuses', describeMissedStatuses);
describe('liveness of instances', describeLiveness);
describe('withheld messages', describeWithheldMessages);
