import { describeDryRunOutcomes } from './dry-run-outcomes.suite.js';
import { describeFuzzedSources } from './fuzzed-sources.suite.js';
import { describeLeadAds } from './lead-ads.suite.js';
import { describeLeadSources } from './lead-sources.suite.js';
import { describeManySourceLeads } from './many-source-leads.suite.js';
import { describeSourceCallDryRun } from './source-call-dry-run.suite.js';
import { describeSourceCalls } from './source-calls.suite.js';
import { describeSourceLimits } from './source-limits.suite.js';
import { describeSourceReading } from './source-reading.suite.js';

describe('reading submissions', describeSourceReading);
describe('lead sources', describeLeadSources);
describe('calls of lead sources', describeSourceCalls);
describe('dry runs of calls of lead sources', describeSourceCallDryRun);
describe('outcomes of dry runs', describeDryRunOutcomes);
describe("Meta's Lead Ads", describeLeadAds);
describe('limits of lead sources', describeSourceLimits);
describe('fuzzed sources', describeFuzzedSources);
describe('many leads of sources', describeManySourceLeads);
