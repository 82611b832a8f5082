import { describeCourtesies } from './courtesies.suite.js';
import { describeMetaGateway } from './meta-gateway.suite.js';
import { describeEvolutionGateway } from './evolution-gateway.suite.js';
import { describeEvolutionSentList } from './evolution-sent-list.suite.js';
import { describeNeutralGateway } from './neutral-gateway.suite.js';
import { describeReactions } from './reactions.suite.js';
import { describeRegisteredDrivers } from './registered-drivers.suite.js';
import { describeWahaGateway } from './waha-gateway.suite.js';
import { describeWahaSentList } from './waha-sent-list.suite.js';

describe('meta gateway', describeMetaGateway);
describe('evolution gateway', describeEvolutionGateway);
describe('evolution sent list', describeEvolutionSentList);
describe('neutral gateway', describeNeutralGateway);
describe('reactions', describeReactions);
describe('courtesies', describeCourtesies);
describe('registered drivers', describeRegisteredDrivers);
describe('waha gateway', describeWahaGateway);
describe('waha sent list', describeWahaSentList);
