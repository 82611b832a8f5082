import { describeCloudDialect } from './cloud-dialect.suite.js';
import { describeEvolutionDialect } from './evolution-dialect.suite.js';

describe('cloud dialect', describeCloudDialect);
describe('evolution dialect', describeEvolutionDialect);
