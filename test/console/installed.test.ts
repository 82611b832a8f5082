// The console on a phone or without a network, in a browser.

import { describeInBrowser } from './browser.js';
import { describeInstalled } from './installed.suite.js';

describeInBrowser('console', () => {
  describe('installed', describeInstalled);
});
