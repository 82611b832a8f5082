import { describeConnectionShares } from './connection-shares.suite.js';
import { describeDatabase } from './database.suite.js';
import { describeMigrations } from './migrations.suite.js';
import { describePostgresSignal } from './postgres-signal.suite.js';
import { describeQueue } from './queue.suite.js';
import { describeSchema } from './schema.suite.js';
import { describeSessionCheck } from './session-check.suite.js';
import { describeWakeUp } from './wake-up.suite.js';

describe('connection shares', describeConnectionShares);
describe('database', describeDatabase);
describe('migrations', describeMigrations);
describe('postgres signal', describePostgresSignal);
describe('queue', describeQueue);
describe('schema', describeSchema);
describe('session check', describeSessionCheck);
describe('wake up', describeWakeUp);
