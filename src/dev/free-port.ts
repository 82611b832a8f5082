// Looks before development starts whether its ports are free: its database takes seconds, and would be started and stopped for nothing.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { hasCode } from '../platform/fault.js';

/** @param port 0 is always free @throws Error in a sentence that names the variable. Anything else that is wrong with the address is told when the server listens. */
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
