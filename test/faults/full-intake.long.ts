// Some suites of intake.test.ts cost what their counts say. Here they have all orders, replays and posts.

import { describeParallelLeads } from './parallel-leads.suite.js';
import { describeReplayedIntake } from './replayed-intake.suite.js';
import { describeStatusOrders } from './status-orders.suite.js';

describe('parallel leads', () => describeParallelLeads(500));
describe('replayed intake', () => describeReplayedIntake(50));
describe('status orders', () => describeStatusOrders(1));
