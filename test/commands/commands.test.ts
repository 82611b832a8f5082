import { describeEncryptAnew } from './encrypt-anew.suite.js';
import { describeTenant } from './tenant.suite.js';

describe('encrypt-anew', describeEncryptAnew);
describe('tenant', describeTenant);
