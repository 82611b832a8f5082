import { describeManyHostileConversations } from './hostile-conversations.suite.js';

describe('hostile conversations', describeManyHostileConversations);
