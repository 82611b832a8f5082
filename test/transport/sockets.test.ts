import { describeFanOut } from './fan-out.suite.js';
import { describeSessionWatch } from './session-watch.suite.js';
import { describeSocketConnection } from './socket-connection.suite.js';
import { describeSocketSignIn } from './socket-sign-in.suite.js';

describe('fan out', describeFanOut);
describe('session watch', describeSessionWatch);
describe('socket connection', describeSocketConnection);
describe('socket session', describeSocketSignIn);
