import { describeEndpointDeliveries } from './endpoint-deliveries.suite.js';
import { describeEndpointDispatcher } from './endpoint-dispatcher.suite.js';
import { describeEndpointRetry } from './endpoint-retry.suite.js';
import { describeWebhookEndpoints } from '../../graphql/webhook-endpoints.suite.js';

describe('endpoint deliveries', describeEndpointDeliveries);
describe('endpoint dispatcher', describeEndpointDispatcher);
describe('endpoint retry', describeEndpointRetry);
describe('webhook endpoints', describeWebhookEndpoints);
