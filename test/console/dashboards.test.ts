// Dashboards in a browser.

import { describeInBrowser } from './browser.js';
import { describeDashboardsPage } from './dashboards-page.suite.js';

describeInBrowser('dashboards', describeDashboardsPage);
