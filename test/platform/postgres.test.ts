import { describeConnectionShares } from './connection-shares.suite.js';
import { describeDatabase } from './database.suite.js';
import { describeMigrations } from './migrations.suite.js';
import { describePostgresNotifier } from './postgres-notifier.suite.js';
import { describeQueue } from './queue.suite.js';
import { describeSchema } from './schema.suite.js';
import { describeSessionCheck } from './session-check.suite.js';
import { describeNotifier } from './notifier.suite.js';
import { describeRehearsal } from './rehearsal.suite.js';

describe('connection shares', describeConnectionShares);
describe('database', describeDatabase);
describe('migrations', describeMigrations);
describe('postgres notifier', describePostgresNotifier);
describe('queue', describeQueue);
describe('schema', describeSchema);
describe('session check', describeSessionCheck);
describe('notifier', describeNotifier);
describe('rehearsal', describeRehearsal);
