import { describeFindOrCreate } from './find-or-create.suite.js';
import { describeHiddenNumbers } from './hidden-numbers.suite.js';
import { describeLeadIdentity } from './lead-identity.suite.js';
import { describeLeadMerge } from './lead-merge.suite.js';
import { describeLeadPresence } from './lead-presence.suite.js';
import { describeMergeWhileSending } from './merge-while-sending.suite.js';
import { describeNumberChecks } from './number-checks.suite.js';
import { describeNumbers } from './numbers.suite.js';
import { describeReferrals } from './referrals.suite.js';

describe('find or create', describeFindOrCreate);
describe('hidden numbers', describeHiddenNumbers);
describe('lead identity', describeLeadIdentity);
describe('lead merge', describeLeadMerge);
describe('lead presence', describeLeadPresence);
describe('merge while sending', describeMergeWhileSending);
describe('number checks', describeNumberChecks);
describe('numbers', describeNumbers);
describe('referrals', describeReferrals);
