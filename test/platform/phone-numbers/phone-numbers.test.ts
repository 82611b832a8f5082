import { describeChatNumber } from './chat-number.suite.js';
import { describeNumberReadings } from './number-readings.suite.js';
import { describeWrittenNumber } from './written-number.suite.js';

describe('chat number', describeChatNumber);
describe('number readings', describeNumberReadings);
describe('written number', describeWrittenNumber);
