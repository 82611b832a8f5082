import { describeCsv } from './csv.suite.js';
import { describeFault } from './fault.suite.js';
import { describeGatherer } from './gatherer.suite.js';
import { describeInputSentence } from './input-sentence.suite.js';
import { describeLogger } from './logger.suite.js';
import { describeRedaction } from './redaction.suite.js';
import { describeSecretBox } from './secret-box.suite.js';
import { describeSignature } from './signature.suite.js';
import { describeTracing } from './tracing.suite.js';

describe('csv', describeCsv);
describe('fault', describeFault);
describe('gatherer', describeGatherer);
describe('input sentence', describeInputSentence);
describe('logger', describeLogger);
describe('redaction', describeRedaction);
describe('secret box', describeSecretBox);
describe('signature', describeSignature);
describe('tracing', describeTracing);
