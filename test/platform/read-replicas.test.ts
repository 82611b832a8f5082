import { describeReadReplicas } from './database/read-replicas.suite.js';

describe('read replicas', describeReadReplicas);
