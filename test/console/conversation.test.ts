// Answering leads in a browser, with a gateway that reports the status of each message.

import { describeInBrowser } from './browser.js';
import { describeBeforeSending } from './before-sending.suite.js';
import { describeByKeyboard } from './by-keyboard.suite.js';
import { describeDraftsAndWindow } from './drafts-and-window.suite.js';
import { describeEarlyKeys } from './early-keys.suite.js';
import { describeEmoji } from './emoji.suite.js';
import { describeGatewayTrouble } from './gateway-trouble.suite.js';
import { describeHourByKeys } from './hour-by-keys.suite.js';
import { describeOperatorsDay } from './operators-day.suite.js';
import { describePictures } from './pictures.suite.js';
import { describeQuickReplies } from './quick-replies.suite.js';
import { describeVoiceNote } from './voice-note.suite.js';

describeInBrowser('console', () => {
  describe("operator's day", describeOperatorsDay);
  describe('before sending', describeBeforeSending);
  describe('by keyboard', describeByKeyboard);
  describe('drafts and the window', describeDraftsAndWindow);
  describe('early keys', describeEarlyKeys);
  describe('emoji', describeEmoji);
  describe('gateway trouble', describeGatewayTrouble);
  describe('hour by keys', describeHourByKeys);
  describe('pictures', describePictures);
  describe('quick replies', describeQuickReplies);
  describe('voice note', describeVoiceNote);
});
