import { describeLeakedSecrets } from './leaked-secrets.suite.js';
import { describeLoggedSecrets } from './logged-secrets.suite.js';

describe('leaked secrets', describeLeakedSecrets);
describe('logged secrets', describeLoggedSecrets);
