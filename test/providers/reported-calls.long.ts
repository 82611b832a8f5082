import { describeDamagedMetaCalls } from './meta/damaged-calls.suite.js';
import { describeMutatedEvolutionCalls } from './evolution/mutated-calls.suite.js';
import { describeMadeUpWahaCalls } from './waha/made-up-calls.suite.js';

describe('waha dialect', () => describeMadeUpWahaCalls(20_000));
describe('meta dialect damaged at random', () => describeDamagedMetaCalls(2_000));
describe('evolution dialect', () => describeMutatedEvolutionCalls(2_000));
