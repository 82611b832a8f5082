// Loaded into a server under measurement (`node --import`). A port of its own answers with the CPU time that the process has used.
// `/blocked` answers with the longest time that its event loop stood still since the last such request.

import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 1;
let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;

createServer((request, response) => response.end(String(request.url === '/blocked' ? readBlockedMs() : readCpuMs())))
  .listen(Number(process.env['CPU_PROBE_PORT']), '127.0.0.1')
  .unref();

function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

// Monitoring costs a little, so it begins with the first request for it.
function readBlockedMs(): number {
  if (delays === undefined) {
    delays = monitorEventLoopDelay({ resolution: resolutionMs });
    delays.enable();
    return 0;
  }
  const blockedMs = Math.max(0, delays.max / 1_000_000 - resolutionMs);
  delays.reset();
  return blockedMs;
}
