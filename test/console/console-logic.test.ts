import { describeBulkPlan, describeTemplateText } from './bulk-plan.suite.js';
import { describeConsoleImports } from './console-imports.suite.js';
import { describeConversationStore } from './conversation-store.suite.js';
import { describeDashboardCharts } from './dashboard-charts.suite.js';
import { describeDashboardReading } from './dashboard-reading.suite.js';
import { describeDrafts } from './drafts.suite.js';
import { describeHeldSends } from './held-sends.suite.js';
import { describeLogRows } from './log-rows.suite.js';

describe('imports', describeConsoleImports);
describe('conversation store', describeConversationStore);
describe('charts of dashboards', describeDashboardCharts);
describe('reading of dashboards', describeDashboardReading);
describe('drafts', describeDrafts);
describe('held sends', describeHeldSends);
describe('rows of the log', describeLogRows);
describe('texts of templates', describeTemplateText);
describe('the plan of a bulk send', describeBulkPlan);
