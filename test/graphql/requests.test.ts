import { describeAskedTogether } from './asked-together.suite.js';
import { describeClients } from './clients.suite.js';
import { describeEndpoint } from './endpoint.suite.js';
import { describeOverHttpAudit } from './over-http-audit.suite.js';
import { describeReading } from './reading.suite.js';
import { describeSchema } from './schema.suite.js';
import { describeStatementCount } from './statement-count.suite.js';
import { describeDashboards } from './dashboards.suite.js';

describe('asked together', describeAskedTogether);
describe('clients', describeClients);
describe('endpoint', describeEndpoint);
describe('over http audit', describeOverHttpAudit);
describe('reading', describeReading);
describe('schema', describeSchema);
describe('statement count', describeStatementCount);
describe('dashboards', describeDashboards);
