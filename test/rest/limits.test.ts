import { describeFailedAuthentication } from './failed-authentication.suite.js';
import { describeIntakeLimits } from './intake-limits.suite.js';
import { describeRateLimit } from './rate-limit.suite.js';

describe('failed authentication', describeFailedAuthentication);
describe('intake limits', describeIntakeLimits);
describe('rate limit', describeRateLimit);
