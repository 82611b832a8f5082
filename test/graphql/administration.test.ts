import { describeAuditLog } from './audit-log.suite.js';
import { describeChatInstances } from './chat-instances.suite.js';
import { describeTenants } from './tenants.suite.js';
import { describeUsers } from './users.suite.js';

describe('audit log', describeAuditLog);
describe('chat instances', describeChatInstances);
describe('tenants', describeTenants);
describe('users', describeUsers);
