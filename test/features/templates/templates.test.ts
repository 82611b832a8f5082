import { describeTemplateText } from './template-text.suite.js';
import { describeTemplateService } from './template.service.suite.js';
import { describeTemplates } from '../../graphql/templates.suite.js';

describe('template text', describeTemplateText);
describe('template service', describeTemplateService);
describe('templates', describeTemplates);
