import { describeManyConversationHistories } from './conversation-history.suite.js';

describe('conversation history', describeManyConversationHistories);
