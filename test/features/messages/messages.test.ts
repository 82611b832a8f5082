import { describeErasedMeanwhile } from './erased-meanwhile.suite.js';
import { describeMessageChanges } from './message-changes.suite.js';
import { describeMessageControl } from './message-control.suite.js';
import { describeMessageStatus } from './message-status.suite.js';
import { describeScheduledSend } from './scheduled-send.suite.js';
import { describePlaceholders } from './placeholders.suite.js';
import { describeTemplateSend } from './template-send.suite.js';
import { describeQueuePosition } from './queue-position.suite.js';
import { describeSendPreview } from './send-preview.suite.js';

describe('message changes', describeMessageChanges);
describe('message control', describeMessageControl);
describe('message status', describeMessageStatus);
describe('scheduled send', describeScheduledSend);
describe('template send', describeTemplateSend);
describe('queue position', describeQueuePosition);
describe('send preview', describeSendPreview);
describe('placeholders', describePlaceholders);
describe('erased meanwhile', describeErasedMeanwhile);
