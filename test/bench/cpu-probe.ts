// Loaded into a server under measurement (`node --import`): tells the CPU time that the process has used, on a port of its own.

import { createServer } from 'node:http';

createServer((_request, response) => {
  const { user, system } = process.cpuUsage();
  response.end(String((user + system) / 1_000));
})
  .listen(Number(process.env['CPU_PROBE_PORT']), '127.0.0.1')
  .unref();
