import { describeFanOut } from './fan-out.suite.js';
import { describeSessionWatch } from './session-watch.suite.js';
import { describeSocketConnection } from './socket-connection.suite.js';
import { describeSocketSession } from './socket-session.suite.js';

describe('fan out', describeFanOut);
describe('session watch', describeSessionWatch);
describe('socket connection', describeSocketConnection);
describe('socket session', describeSocketSession);
