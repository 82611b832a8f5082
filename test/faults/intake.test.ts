import { describeCrowdedIntake } from './crowded-intake.suite.js';
import { describeForgedCalls } from './forged-calls.suite.js';
import { describeLateCommits } from './late-commits.suite.js';
import { describeNeighbourLocks } from './neighbour-locks.suite.js';
import { describeOppositeOrders } from './opposite-orders.suite.js';
import { describeParallelLeads } from './parallel-leads.suite.js';
import { describeReplayedIntake } from './replayed-intake.suite.js';
import { describeStatusOrders } from './status-orders.suite.js';
import { describeTimelineOrder } from './timeline-order.suite.js';

describe('crowded intake', describeCrowdedIntake);
describe('forged calls', describeForgedCalls);
describe('late commits', describeLateCommits);
describe('neighbour locks', describeNeighbourLocks);
describe('opposite orders', describeOppositeOrders);
describe('parallel leads', describeParallelLeads);
describe('replayed intake', describeReplayedIntake);
describe('status orders', describeStatusOrders);
describe('timeline order', describeTimelineOrder);
