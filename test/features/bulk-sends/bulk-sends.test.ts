import { describeBulkSend } from './bulk-send.suite.js';
import { describeBulkSending } from './bulk-sending.suite.js';
import { describeBulkSends } from '../../graphql/bulk-sends.suite.js';

describe('bulk send', describeBulkSend);
describe('bulk sending', describeBulkSending);
describe('bulk sends', describeBulkSends);
