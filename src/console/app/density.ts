// The user chooses in this browser how much room a row of the inbox takes.

import { Store } from './store.js';

const key = 'leadwire.density';

export const isCompact = new Store(localStorage.getItem(key) === 'compact');

export function setCompact(isWanted: boolean): void {
  localStorage.setItem(key, isWanted ? 'compact' : 'roomy');
  isCompact.set(isWanted);
}
