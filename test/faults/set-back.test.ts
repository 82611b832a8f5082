import { describeSetBack } from './set-back.suite.js';

describe('a database that is set back', describeSetBack);
