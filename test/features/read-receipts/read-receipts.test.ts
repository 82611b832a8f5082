import { describeChannelNumbers } from './channel-number.suite.js';
import { describeReadReceipts } from './read-receipts.suite.js';
import { describeTyping } from './typing.suite.js';

describe('read receipts', describeReadReceipts);
describe('typing', describeTyping);
describe('numbers that are looked up', describeChannelNumbers);
