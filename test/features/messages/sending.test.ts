import { describeMessageSendService } from './message-send.service.suite.js';
import { describeOutbound } from './outbound.suite.js';
import { describeOutboundLane } from './outbound-lane.suite.js';
import { describeRetryPolicy } from './retry-policy.suite.js';
import { describeChatRateLimit } from './chat-rate-limit.suite.js';
import { describeBusyInstance } from './busy-instance.suite.js';
import { describeLostAnswer } from './lost-answer.suite.js';
import { describeReceiptTimeout } from './receipt-timeout.suite.js';

describe('message send service', describeMessageSendService);
describe('outbound', describeOutbound);
describe('outbound lane', describeOutboundLane);
describe('retry policy', describeRetryPolicy);
describe('chat rate limit', describeChatRateLimit);
describe('busy instance', describeBusyInstance);
describe('lost answer', describeLostAnswer);
describe('receipt timeout', describeReceiptTimeout);
