import { describeHostileDocuments } from './hostile-documents.suite.js';
import { describeSocket } from './socket.suite.js';
import { describeSessionEnd } from './session-end.suite.js';

describe('hostile documents', describeHostileDocuments);
describe('socket', describeSocket);
describe('session end', describeSessionEnd);
