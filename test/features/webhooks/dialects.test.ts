import { describeMetaDialect } from './meta-dialect.suite.js';
import { describeEvolutionDialect } from './evolution-dialect.suite.js';

describe('meta dialect', describeMetaDialect);
describe('evolution dialect', describeEvolutionDialect);
