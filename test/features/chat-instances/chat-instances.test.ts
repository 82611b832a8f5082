import { describeChatConnection } from './chat-connection.suite.js';
import { describeChatInstanceService } from './chat-instance.service.suite.js';
import { describeGatewayCredential } from './gateway-credential.suite.js';
import { describeInstanceDeletion } from './instance-deletion.suite.js';
import { describeSharedGateway } from './shared-gateway.suite.js';

describe('chat connection', describeChatConnection);
describe('chat instance service', describeChatInstanceService);
describe('gateway credential', describeGatewayCredential);
describe('instance deletion', describeInstanceDeletion);
describe('shared gateway', describeSharedGateway);
