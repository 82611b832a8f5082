// Slow clients beside limits a tenth as long as the product's.

import { describeSlowClients } from './slow-clients-harness.js';

describeSlowClients({ clientLimits: { headersMs: 1_000, requestMs: 3_000, lookMs: 200 } }, 100);
