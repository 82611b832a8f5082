import { describeCallTrial } from './call-trial.suite.js';
import { describeFastPath } from './fast-path.suite.js';
import { describeKindsOfMessages } from './kinds-of-messages.suite.js';
import { describeLogPartitions } from './log-partitions.suite.js';
import { describePruning } from './pruning.suite.js';
import { describeWebhookCallPlans } from './webhook-call-plans.suite.js';
import { describeWebhookCallReplay } from './webhook-call-replay.suite.js';
import { describeSignatureTrial } from './signature-trial.suite.js';
import { describeWebhookCalls } from '../../graphql/webhook-calls.suite.js';

describe('call trial', describeCallTrial);
describe('signature trial', describeSignatureTrial);
describe('fast path', describeFastPath);
describe('kinds of messages', describeKindsOfMessages);
describe('log partitions', describeLogPartitions);
describe('pruning', describePruning);
describe('webhook call plans', describeWebhookCallPlans);
describe('webhook call replay', describeWebhookCallReplay);
describe('webhook calls', describeWebhookCalls);
