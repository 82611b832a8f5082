import { describeAnswerHeads } from './answer-heads.suite.js';
import { describeWebhooksCloud } from './webhooks-cloud.suite.js';
import { describeWebhooksEvolution } from './webhooks-evolution.suite.js';
import { describeWebhooksInbound } from './webhooks-inbound.suite.js';
import { describeWebhooksRotation } from './webhooks-rotation.suite.js';
import { describeWebhooksStatus } from './webhooks-status.suite.js';
import { describeWebhooksWaha } from './webhooks-waha.suite.js';

describe('answer heads', describeAnswerHeads);
describe('webhooks cloud', describeWebhooksCloud);
describe('webhooks evolution', describeWebhooksEvolution);
describe('webhooks inbound', describeWebhooksInbound);
describe('webhooks rotation', describeWebhooksRotation);
describe('webhooks status', describeWebhooksStatus);
describe('webhooks waha', describeWebhooksWaha);
