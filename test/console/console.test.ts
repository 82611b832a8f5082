// The console in a browser, against the server that serves it.

import { describeAds } from './ads.suite.js';
import { describeInBrowser } from './browser.js';
import { describeInbox } from './inbox.suite.js';
import { describeLeadBeside } from './lead-beside.suite.js';
import { describeKeptFocus } from './kept-focus.suite.js';
import { describeKeptViews } from './kept-views.suite.js';
import { describeLeadPage } from './lead-page.suite.js';
import { describeLeadViews } from './lead-views.suite.js';
import { describeLeadsTable } from './leads-table.suite.js';
import { describeMergeDialog } from './merge-dialog.suite.js';
import { describeMergedElsewhere } from './merged-elsewhere.suite.js';
import { describeSelection } from './selection.suite.js';
import { describeOnThePhone } from './on-the-phone.suite.js';
import { describeNotices } from './notices.suite.js';
import { describeNextUser } from './next-user.suite.js';
import { describeSaidWithoutWords } from './said-without-words.suite.js';
import { describeSearch } from './search.suite.js';
import { describeSessions } from './sessions.suite.js';

describeInBrowser('console', () => {
  describe('ads', describeAds);
  describe('inbox', describeInbox);
  describe('lead beside the conversation', describeLeadBeside);
  describe('kept focus', describeKeptFocus);
  describe('kept views', describeKeptViews);
  describe('merge by keyboard', describeMergeDialog);
  describe('merged elsewhere', describeMergedElsewhere);
  describe('the next user', describeNextUser);
  describe('notices', describeNotices);
  describe('on the phone', describeOnThePhone);
  describe('page of a lead', describeLeadPage);
  describe('table of leads', describeLeadsTable);
  describe('views of leads', describeLeadViews);
  describe('said without words', describeSaidWithoutWords);
  describe('selection', describeSelection);
  describe('search', describeSearch);
  describe('sessions', describeSessions);
});
