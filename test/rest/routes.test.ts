import { describeBrowsers } from './browsers.suite.js';
import { describeChatInstances } from './chat-instances.suite.js';
import { describeConsole } from './console.suite.js';
import { describeEmptyParameters } from './empty-parameters.suite.js';
import { describeEveryRoute } from './every-route.suite.js';
import { describeHealth } from './health.suite.js';
import { describeHostileInput } from './hostile-input.suite.js';
import { describeOpenapi } from './openapi.suite.js';
import { describeTenants } from './tenants.suite.js';

describe('browsers', describeBrowsers);
describe('chat instances', describeChatInstances);
describe('console', describeConsole);
describe('empty parameters', describeEmptyParameters);
describe('every route', describeEveryRoute);
describe('health', describeHealth);
describe('hostile input', describeHostileInput);
describe('openapi', describeOpenapi);
describe('tenants', describeTenants);
