// Checks that development's ports are free before its database starts, because that start takes seconds and would be in vain.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { hasCode } from '../platform/observability/fault.js';

/**
 * Other faults of the address are reported when the server listens.
 * @param port 0 is always free
 * @throws Error in a sentence that names the variable
 */
export async function requireFreePort(variable: string, port: number, host: string | undefined): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  try {
    await once(probe.listen(port, host), 'listening');
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE'))
      throw new Error(`${variable} ${port} is in use. Stop the program that uses it, or choose another port.`, {
        cause: error,
      });
  } finally {
    probe.close();
  }
}
