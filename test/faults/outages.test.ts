import { describeBrokenConnections } from './broken-connections.suite.js';
import { describeClockJumps } from './clock-jumps.suite.js';
import { describeErasedPeople } from './erased-people.suite.js';
import { describeIdentityProviderOutages } from './identity-provider-outages.suite.js';

describe('broken connections', describeBrokenConnections);
describe('clock jumps', describeClockJumps);
describe('erased people', describeErasedPeople);
describe('identity provider outages', describeIdentityProviderOutages);
