import { describeConversationStore } from './conversation-store.suite.js';
import { describeDrafts } from './drafts.suite.js';
import { describeHeldSends } from './held-sends.suite.js';
import { describeLogRows } from './log-rows.suite.js';

describe('conversation store', describeConversationStore);
describe('drafts', describeDrafts);
describe('held sends', describeHeldSends);
describe('rows of the log', describeLogRows);
