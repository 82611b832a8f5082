import { describeSignatures } from './signatures.suite.js';
import { describeTemplateFiles } from './template-files.suite.js';

describe('signatures', describeSignatures);
describe('files of templates', describeTemplateFiles);
