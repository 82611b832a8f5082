import { describeClientExample } from './client-example.suite.js';
import { describeDocuments } from './documents.suite.js';
import { describeExamples } from './examples.suite.js';
import { describeSimulator } from './simulator.suite.js';
import { describeSnippets } from './snippets.suite.js';

describe('the example client', describeClientExample);
describe('documents', describeDocuments);
describe('examples', describeExamples);
describe('simulator', describeSimulator);
describe('snippets', describeSnippets);
