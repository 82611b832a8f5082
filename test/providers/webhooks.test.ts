import { describeDamagedMetaCalls } from './meta/damaged-calls.suite.js';
import { describeMadeUpWahaCalls } from './waha/made-up-calls.suite.js';
import { describeMetaDialect } from './meta/webhooks.suite.js';
import { describeMutatedEvolutionCalls } from './evolution/mutated-calls.suite.js';
import { describeEvolutionDialect } from './evolution/webhooks.suite.js';
import { describeReferralReading } from './whatsapp/referral.suite.js';
import { describeNeutralLeniency } from './neutral/leniency.suite.js';
import { describeNetworkKinds } from './whatsapp/kinds.suite.js';
import { describeWahaDialect } from './waha/webhooks.suite.js';

describe('waha dialect', describeWahaDialect);
describe('waha dialect', describeMadeUpWahaCalls);
describe('meta dialect', describeMetaDialect);
describe('meta dialect damaged at random', describeDamagedMetaCalls);
describe('evolution dialect', describeEvolutionDialect);
describe('evolution dialect', describeMutatedEvolutionCalls);
describe('neutral dialect', describeNeutralLeniency);
describe('referral reading', describeReferralReading);
describe('parts of the network', describeNetworkKinds);
