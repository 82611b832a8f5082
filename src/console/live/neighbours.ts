// The conversations beside the open one, as the list beside it orders them. The inbox fills it; closing goes on to the next one.

import { Store } from '../app/store.js';

export interface Neighbours {
  previousLeadId?: string | undefined;
  nextLeadId?: string | undefined;
}

export const neighbours = new Store<Neighbours>({});
