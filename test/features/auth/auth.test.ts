import { describeAccessToken } from './access-token.suite.js';
import { describeDressedProviders } from './dressed-providers.suite.js';
import { describeIdentityProvider } from './identity-provider.suite.js';
import { describeOidcConfig } from './oidc-config.suite.js';
import { describeProviderToken } from './provider-token.suite.js';

describe('access token', describeAccessToken);
describe('dressed providers', describeDressedProviders);
describe('identity provider', describeIdentityProvider);
describe('oidc config', describeOidcConfig);
describe('provider token', describeProviderToken);
