import { describeDoctor } from './doctor.suite.js';
import { describeEncryptAnew } from './encrypt-anew.suite.js';
import { describeTenant } from './tenant.suite.js';

describe('doctor', describeDoctor);
describe('encrypt-anew', describeEncryptAnew);
describe('tenant', describeTenant);
