import { describeRoles } from './roles.suite.js';
import { describeTenancy } from './tenancy.suite.js';

describe('roles', describeRoles);
describe('tenancy', describeTenancy);
