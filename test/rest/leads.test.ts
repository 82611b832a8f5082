import { describeDryRun } from './dry-run.suite.js';
import { describeLeadColumns } from './lead-columns.suite.js';
import { describeLeadsExport } from './leads-export.suite.js';
import { describeLeadsImport } from './leads-import.suite.js';
import { describeMessagesExport } from './messages-export.suite.js';
import { describePublicLeads } from './public-leads.suite.js';
import { describeWebhooksLeads } from './webhooks-leads.suite.js';

describe('dry run', describeDryRun);
describe('lead columns', describeLeadColumns);
describe('leads export', describeLeadsExport);
describe('leads import', describeLeadsImport);
describe('messages export', describeMessagesExport);
describe('public leads', describePublicLeads);
describe('webhooks leads', describeWebhooksLeads);
