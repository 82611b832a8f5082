import { describeAgreement } from './agreement.suite.js';
import { describeConsent } from './consent.suite.js';
import { describeErasedOptOuts } from './erased-opt-outs.suite.js';
import { describePreferences } from './preferences.suite.js';
import { describeTypedWords } from './typed-words.suite.js';

describe('agreement', describeAgreement);
describe('consent', describeConsent);
describe('erased opt-outs', describeErasedOptOuts);
describe('preferences', describePreferences);
describe('typed words', describeTypedWords);
