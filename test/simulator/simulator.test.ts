import { describeBoundedMemory } from './bounded-memory.suite.js';
import { describeCloudRoutes } from './cloud.routes.suite.js';
import { describeControlRoutes } from './control.routes.suite.js';
import { describeCustomers } from './customers.suite.js';
import { describeGatewayRoutes } from './gateway.routes.suite.js';
import { describeIndependence } from './independence.suite.js';
import { describeSeededRandom } from './seeded-random.suite.js';
import { describeWebhookReporter } from './webhook-reporter.suite.js';

describe('bounded memory', describeBoundedMemory);
describe('cloud routes', describeCloudRoutes);
describe('control routes', describeControlRoutes);
describe('customers', describeCustomers);
describe('gateway routes', describeGatewayRoutes);
describe('independence', describeIndependence);
describe('seeded random', describeSeededRandom);
describe('webhook reporter', describeWebhookReporter);
