import { describeGatewayAddress } from './gateway-address.suite.js';
import { describeGatewayHttp } from './gateway-http.suite.js';
import { describeNameResolver } from './name-resolver.suite.js';
import { describeWebhookSender } from './webhook-sender.suite.js';

describe('gateway address', describeGatewayAddress);
describe('gateway http', describeGatewayHttp);
describe('name resolver', describeNameResolver);
describe('webhook sender', describeWebhookSender);
