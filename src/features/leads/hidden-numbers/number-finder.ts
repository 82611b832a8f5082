// Asks gateways for hidden numbers, with a lane for each tenant: one tenant's slow gateways delay no other tenant. hidden-number.service.ts
// stores the answers.

import type { FoundNumber } from '../../../providers/chat-gateway.js';
import { LeasedLanes, type LeasedLanesOptions } from '../../../platform/jobs/leased-lanes.js';
import type { GatewayEndpoints } from '../../chat-instances/gateway-endpoints.js';
import type { HiddenNumberService } from './hidden-number.service.js';
import {
  claimNumbers,
  releaseNumbers,
  selectNextNumberDue,
  selectTenantsWithNumbers,
  type ClaimedNumber,
} from './hidden-number.sql.js';

export interface NumberFinderOptions extends LeasedLanesOptions {
  endpoints: GatewayEndpoints;
  numbers: HiddenNumberService;
}

export class NumberFinder extends LeasedLanes<ClaimedNumber> {
  constructor(private readonly options: NumberFinderOptions) {
    super(options, {
      name: 'hidden numbers',
      selectTenants: selectTenantsWithNumbers,
      claim: claimNumbers,
      selectNextDue: selectNextNumberDue,
      release: releaseNumbers,
      keysOf: (numbers) => [numbers.map(({ leadId }) => leadId)],
    });
  }

  protected override async work(tenantId: string, number: ClaimedNumber): Promise<void> {
    const { numbers, log } = this.options;
    try {
      const found = await this.find(number);
      if (found.outcome !== 'found' && this.signal.aborted) await this.release(tenantId, [number]);
      else await numbers.settle(tenantId, number, found);
    } catch (error) {
      log.warn({ err: error, tenantId, leadId: number.leadId }, 'a hidden number could not be settled');
    }
  }

  private async find(number: ClaimedNumber): Promise<FoundNumber> {
    const instance = this.options.endpoints.find(number);
    if (instance.outcome !== 'reachable') return instance;
    const { gateway, endpoint } = instance;
    if (number.isDeleted || gateway.findNumber === undefined) return { outcome: 'unknown' };
    return gateway.findNumber(endpoint, number.hiddenId, this.signal);
  }
}
