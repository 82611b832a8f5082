import { describeChannelTemplates } from './channel-templates.suite.js';
import { describeReplyWindow } from './reply-window.suite.js';
import { describeSimulatedMeta } from './simulated-meta.suite.js';

describe('channel templates', describeChannelTemplates);
describe('reply window', describeReplyWindow);
describe('simulated Meta', describeSimulatedMeta);
