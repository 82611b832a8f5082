// Slow clients beside the product's limits: a head has 10 s, a whole request 30 s, and Node looks every 2 s.

import { describeSlowClients } from './slow-clients-harness.js';

describeSlowClients({}, 1_000);
