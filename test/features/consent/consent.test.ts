import { describeConsent } from './consent.suite.js';

describe('consent', describeConsent);
