import { describeDamagedMetaCalls } from './damaged-meta-calls.suite.js';
import { describeMadeUpWahaCalls } from './made-up-waha-calls.suite.js';

describe('waha dialect', () => describeMadeUpWahaCalls(20_000));
describe('meta dialect damaged at random', () => describeDamagedMetaCalls(2_000));
