import { describeDamagedMetaCalls } from './damaged-meta-calls.suite.js';
import { describeMadeUpWahaCalls } from './made-up-waha-calls.suite.js';
import { describeMetaDialect } from './meta-dialect.suite.js';
import { describeEvolutionDialect } from './evolution-dialect.suite.js';
import { describePastRecords } from './past-records.suite.js';
import { describeReferralReading } from './referral-reading.suite.js';
import { describeNetworkKinds } from './network-kinds.suite.js';
import { describeWahaDialect } from './waha-dialect.suite.js';

describe('waha dialect', describeWahaDialect);
describe('waha dialect', describeMadeUpWahaCalls);
describe('meta dialect', describeMetaDialect);
describe('meta dialect damaged at random', describeDamagedMetaCalls);
describe('evolution dialect', describeEvolutionDialect);
describe('past records', describePastRecords);
describe('referral reading', describeReferralReading);
describe('parts of the network', describeNetworkKinds);
