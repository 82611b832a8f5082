import { describeArguments } from './arguments.suite.js';
import { describeInterruptedDrill } from './backup-interrupt.suite.js';
import { describeBackupWal } from './backup-wal.suite.js';
import { describeDoctor } from './doctor.suite.js';
import { describeStandbyCheck } from './standby-check.suite.js';
import { describeEncryptAnew } from './encrypt-anew.suite.js';
import { describeMoveTenant } from './move-tenant.suite.js';
import { describeRestoredRows } from './restored-rows.suite.js';
import { describeTenant } from './tenant.suite.js';

describe('arguments', describeArguments);
describe('backups: an interrupted drill', describeInterruptedDrill);
describe('backups: WAL files', describeBackupWal);
describe('doctor', describeDoctor);
describe('doctor: standbys', describeStandbyCheck);
describe('encrypt-anew', describeEncryptAnew);
describe('move-tenant', describeMoveTenant);
describe('restored rows', describeRestoredRows);
describe('tenant', describeTenant);
