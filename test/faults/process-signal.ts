/**
 * Sends a signal to a process of PostgreSQL. It may have ended since it was listed: its parent ends and starts such processes all the time.
 */
export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
