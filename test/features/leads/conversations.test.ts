import { describeConversationHistory } from './conversation-history.suite.js';
import { describeConversations } from './conversations.suite.js';
import { describeInboxOrders } from './inbox-orders.suite.js';
import { describeOvertakenMessages } from './overtaken-messages.suite.js';
import { describeReminders } from './reminders.suite.js';
import { describeSnoozes } from './snoozes.suite.js';

describe('conversations', describeConversations);
describe('conversation history', describeConversationHistory);
describe('inbox orders', describeInboxOrders);
describe('overtaken messages', describeOvertakenMessages);
describe('reminders', describeReminders);
describe('snoozes', describeSnoozes);
