import { describeBrokenConnections } from './broken-connections.suite.js';
import { describeClockJumps } from './clock-jumps.suite.js';
import { describeDepartingProcess } from './departing-process.suite.js';
import { describeErasedPeople } from './erased-people.suite.js';
import { describeIdentityProviderOutages } from './identity-provider-outages.suite.js';
import { describeResumedFeeds } from './resumed-feeds.suite.js';
import { describeTopology } from './topology.suite.js';

describe('broken connections', describeBrokenConnections);
describe('clock jumps', describeClockJumps);
describe('departing process', describeDepartingProcess);
describe('erased people', describeErasedPeople);
describe('identity provider outages', describeIdentityProviderOutages);
describe('resumed feeds', describeResumedFeeds);
describe('topology', describeTopology);
