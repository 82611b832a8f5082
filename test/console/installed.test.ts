// The console on a phone or without a network, in a browser.

import { describeInBrowser } from './browser.js';
import { describeInstalled } from './installed.suite.js';
import { describeKeptReading } from './kept-reading.suite.js';
import { describePush } from './push.suite.js';

describeInBrowser('console', () => {
  describe('installed', describeInstalled);
  describe('what was read last', describeKeptReading);
  describe('push', describePush);
});
