import { describePromotedReplicas } from './database/promoted-replica.suite.js';
import { describeReadReplicas } from './database/read-replicas.suite.js';

describe('read replicas', describeReadReplicas);
describe('read replicas after a failover', describePromotedReplicas);
