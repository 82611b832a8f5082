import { describeMessageControl } from './message-control.suite.js';
import { describeMessageStatus } from './message-status.suite.js';
import { describeScheduledSend } from './scheduled-send.suite.js';
import { describeTemplateSend } from './template-send.suite.js';
import { describeQueuePosition } from './queue-position.suite.js';

describe('message control', describeMessageControl);
describe('message status', describeMessageStatus);
describe('scheduled send', describeScheduledSend);
describe('template send', describeTemplateSend);
describe('queue position', describeQueuePosition);
