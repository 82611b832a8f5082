import { describeReadReplicas } from './read-replicas.suite.js';

describe('read replicas', describeReadReplicas);
