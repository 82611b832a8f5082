import { describeAdministrationFields } from './administration-fields.suite.js';
import { describeConnectLoop } from './connect-loop.suite.js';
import { describeSignatureCheck } from './signature-check.suite.js';

describe('connect loop', describeConnectLoop);
describe('fields of administration', describeAdministrationFields);
describe('signature check', describeSignatureCheck);
