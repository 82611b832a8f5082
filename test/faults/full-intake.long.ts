// The suites of intake.test.ts in which a count decides what they cost, here with all orders, replays and posts.

import { describeParallelLeads } from './parallel-leads.suite.js';
import { describeReplayedIntake } from './replayed-intake.suite.js';
import { describeStatusOrders } from './status-orders.suite.js';

describe('parallel leads', () => describeParallelLeads(500));
describe('replayed intake', () => describeReplayedIntake(50));
describe('status orders', () => describeStatusOrders(1));
