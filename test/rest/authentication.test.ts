import { describeApiKey } from './api-key.suite.js';
import { describeAuthConfig } from './auth-config.suite.js';
import { describeAuthDevToken } from './auth-dev-token.suite.js';
import { describeAuthToken } from './auth-token.suite.js';
import { describeBearerToken } from './bearer-token.suite.js';
import { describeSignInLink } from './sign-in-link.suite.js';

describe('api key', describeApiKey);
describe('auth config', describeAuthConfig);
describe('auth dev token', describeAuthDevToken);
describe('auth token', describeAuthToken);
describe('bearer token', describeBearerToken);
describe('sign-in link', describeSignInLink);
