import { describeAdministrationFields } from './administration-fields.suite.js';
import { describeConnectLoop } from './connect-loop.suite.js';
import { describeHeaderLines } from './header-lines.suite.js';
import { describeSignatureCheck } from './signature-check.suite.js';

describe('connect loop', describeConnectLoop);
describe('fields of administration', describeAdministrationFields);
describe('headers of calls', describeHeaderLines);
describe('signature check', describeSignatureCheck);
