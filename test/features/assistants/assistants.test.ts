import { describeAssistantAccess } from './assistant-access.suite.js';
import { describeAssistantTools } from './assistant-tools.suite.js';
import { describeCapabilities } from './capability.suite.js';
import { describeHostileConversations } from './hostile-conversations.suite.js';

describe('access of assistants', describeAssistantAccess);
describe('tools of assistants', describeAssistantTools);
describe('capabilities', describeCapabilities);
describe('hostile conversations', describeHostileConversations);
