import { describeDirectIntake } from './direct-intake.suite.js';
import { describeLogPartitions } from './log-partitions.suite.js';
import { describePruning } from './pruning.suite.js';
import { describeWebhookDeliveryPlans } from './webhook-delivery-plans.suite.js';
import { describeWebhookDeliveryReplay } from './webhook-delivery-replay.suite.js';
import { describeWebhookDeliveries } from '../../graphql/webhook-deliveries.suite.js';

describe('direct intake', describeDirectIntake);
describe('log partitions', describeLogPartitions);
describe('pruning', describePruning);
describe('webhook delivery plans', describeWebhookDeliveryPlans);
describe('webhook delivery replay', describeWebhookDeliveryReplay);
describe('webhook deliveries', describeWebhookDeliveries);
