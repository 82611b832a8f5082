import { describeFuzzedIntake } from './fuzzed-intake.suite.js';

describeFuzzedIntake(10_000);
