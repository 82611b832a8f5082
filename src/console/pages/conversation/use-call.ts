import { useState } from 'react';
import { notifyFailure } from '../../parts/notices.js';

/** Runs a call whose result arrives by events. It is busy until the call ends, and a failure is shown as a notice. */
export function useCall(): { isBusy: boolean; run: (call: () => Promise<unknown>) => void } {
  const [isBusy, setBusy] = useState(false);
  const run = (call: () => Promise<unknown>) => {
    setBusy(true);
    void call()
      .catch(notifyFailure)
      .finally(() => setBusy(false));
  };
  return { isBusy, run };
}
