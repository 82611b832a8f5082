import { describeMetaDialect } from './meta-dialect.suite.js';
import { describeEvolutionDialect } from './evolution-dialect.suite.js';
import { describeNetworkKinds } from './network-kinds.suite.js';
import { describeWahaDialect } from './waha-dialect.suite.js';

describe('waha dialect', describeWahaDialect);
describe('meta dialect', describeMetaDialect);
describe('evolution dialect', describeEvolutionDialect);
describe('parts of the network', describeNetworkKinds);
