import { describeLargestBulkSend } from './bulk-send.suite.js';

describe('bulk send', describeLargestBulkSend);
