// The pages of administrators in a browser: instances, settings, calls, bulk sends, templates.

import { describeInBrowser } from './browser.js';
import { describeAccessibleAdministration } from './accessible-administration.suite.js';
import { describeBulkPage } from './bulk-page.suite.js';
import { describeCallsPage } from './calls-page.suite.js';
import { describeHistoryAudits } from './history-audits.suite.js';
import { describeInstancesPage } from './instances-page.suite.js';
import { describeHeldSubmissions } from './held-submissions.suite.js';
import { describeSettingsPages } from './settings-pages.suite.js';
import { describeTemplatesPage } from './templates-page.suite.js';

describeInBrowser('console', () => {
  describe('instances', describeInstancesPage);
  describe('histories', describeHistoryAudits);
  describe('settings', describeSettingsPages);
  describe('calls', describeCallsPage);
  describe('bulk sends', describeBulkPage);
  describe('templates', describeTemplatesPage);
  describe('held submissions', describeHeldSubmissions);
  describe('accessibility of administration', describeAccessibleAdministration);
});
