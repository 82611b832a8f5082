import { describeOutboundAddressPolicy } from './outbound-address-policy.suite.js';
import { describeNameResolver } from './name-resolver.suite.js';
import { describeWebhookSender } from './webhook-sender.suite.js';

describe('outbound address policy', describeOutboundAddressPolicy);
describe('name resolver', describeNameResolver);
describe('webhook sender', describeWebhookSender);
