import { describeTemplateText } from './template-text.suite.js';
import { describeTemplateService } from './template.service.suite.js';
import { describeQuickReplies } from '../../graphql/quick-replies.suite.js';
import { describeMessageSignature } from '../tenants/message-signature.suite.js';
import { describeTemplates } from '../../graphql/templates.suite.js';

describe('template text', describeTemplateText);
describe('template service', describeTemplateService);
describe('templates', describeTemplates);
describe('quick replies', describeQuickReplies);
describe('signature format', describeMessageSignature);
