import { describeConsent } from './consent.suite.js';
import { describePreferences } from './preferences.suite.js';

describe('consent', describeConsent);
describe('preferences', describePreferences);
