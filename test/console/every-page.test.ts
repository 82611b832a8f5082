import { describeInBrowser } from './browser.js';
import { describeEveryPage } from './every-page.suite.js';
import { describeLeadsImport } from './leads-import.suite.js';

describeInBrowser('console', () => {
  describe('every page', describeEveryPage);
  describe('import of leads', describeLeadsImport);
});
