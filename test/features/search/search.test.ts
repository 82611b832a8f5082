import { describeSearch } from './search.suite.js';
import { describeSnippets } from './snippet.suite.js';
import { describeWordIndex } from './word-index.suite.js';

describe('search before the words are brought in', () => describeSearch(false));
describe('search after the words are brought in', () => describeSearch(true));
describe('word index', describeWordIndex);
describe('snippets', describeSnippets);
