import { describeManyBrokenConnections } from './broken-connections.suite.js';

describe('broken connections', describeManyBrokenConnections);
