import { describePushDevices } from './push-devices.suite.js';
import { describePushRounds } from './push-rounds.suite.js';
import { describePushSending } from './push-sending.suite.js';

describe('browsers that are notified', describePushDevices);
describe('rounds of notifications', describePushRounds);
describe('sending notifications', describePushSending);
