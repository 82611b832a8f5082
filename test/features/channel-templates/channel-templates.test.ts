import { describeChannelTemplateForm } from './channel-template-form.suite.js';
import { describeChannelTemplates } from './channel-templates.suite.js';
import { describeReplyWindow } from './reply-window.suite.js';
import { describeSimulatedMeta } from './simulated-meta.suite.js';

describe('channel template form', describeChannelTemplateForm);
describe('channel templates', describeChannelTemplates);
describe('reply window', describeReplyWindow);
describe('simulated Meta', describeSimulatedMeta);
