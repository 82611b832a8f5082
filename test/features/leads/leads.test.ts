import { describeChatNumber } from './chat-number.suite.js';
import { describeFindOrCreate } from './find-or-create.suite.js';
import { describeLeadIdentity } from './lead-identity.suite.js';
import { describeLeadMerge } from './lead-merge.suite.js';
import { describeLeadPresence } from './lead-presence.suite.js';
import { describeMergeWhileSending } from './merge-while-sending.suite.js';
import { describeNumberChecks } from './number-checks.suite.js';
import { describeNumbers } from './numbers.suite.js';
import { describeWrittenNumber } from './written-number.suite.js';

describe('chat number', describeChatNumber);
describe('find or create', describeFindOrCreate);
describe('lead identity', describeLeadIdentity);
describe('lead merge', describeLeadMerge);
describe('lead presence', describeLeadPresence);
describe('merge while sending', describeMergeWhileSending);
describe('number checks', describeNumberChecks);
describe('numbers', describeNumbers);
describe('written number', describeWrittenNumber);
