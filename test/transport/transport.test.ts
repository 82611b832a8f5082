import { describeAnswerTime } from './answer-time.suite.js';
import { describeClientAddress } from './client-address.suite.js';
import { describeCompiledQueries } from './compiled-query.suite.js';
import { describeFailedAuthentication } from './failed-authentication.suite.js';
import { describeLongUploads } from './long-uploads.suite.js';
import { describeMetricsServer } from './metrics-server.suite.js';
import { describeOpenAnswers } from './open-answers.suite.js';
import { describeOperationTime } from './operation-time.suite.js';
import { describeRateLimit } from './rate-limit.suite.js';

describe('answer time', describeAnswerTime);
describe('client address', describeClientAddress);
describe('compiled queries', describeCompiledQueries);
describe('failed authentication', describeFailedAuthentication);
describe('long uploads', describeLongUploads);
describe('metrics server', describeMetricsServer);
describe('open answers', describeOpenAnswers);
describe('operation time', describeOperationTime);
describe('rate limits', describeRateLimit);
