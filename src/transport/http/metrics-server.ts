// `GET /metrics` on a port of its own, for Prometheus: no caller reaches it through the proxy, and it answers while the service drains.
// The metrics belong to platform/observability/metrics.ts.

import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { sha256 } from '../../platform/secret-box.js';
import { secureAnswer } from './security-headers.js';

export interface MetricsServerOptions {
  metrics: Metrics;
  /** 0 takes any free port. */
  port: number;
  /** An address of this machine. */
  host: string;
  /** Callers have to send it as Bearer token, where it is set. */
  token: string | undefined;
  log: Logger;
}

export class MetricsServer {
  private readonly server = createServer((request, response) => void this.answer(request, response));

  constructor(private readonly options: MetricsServerOptions) {}

  /** @throws Error with a sentence that names the variable to change */
  async start(): Promise<void> {
    const { host, port, metrics } = this.options;
    metrics.watchProcess();
    await new Promise<void>((resolve, reject) => {
      const fail = ({ code, message }: NodeJS.ErrnoException) => {
        const isTaken = code === 'EADDRINUSE';
        const sentence = `METRICS_PORT ${port} is in use at ${host}: stop what listens there, or choose another.`;
        reject(new Error(isTaken ? sentence : `METRICS_HOST ${host} cannot be listened on: ${message}`));
      };
      this.server.once('error', fail).listen(port, host, () => {
        this.server.off('error', fail);
        resolve();
      });
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Safe to repeat. */
  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    secureAnswer(response, false);
    if (request.url?.split('?', 1)[0] !== '/metrics' || !['GET', 'HEAD'].includes(request.method ?? '')) {
      response.writeHead(404).end();
      return;
    }
    if (!this.isAllowed(request.headers.authorization)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    const { metrics, log } = this.options;
    try {
      const text = await metrics.render();
      response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
    } catch (error) {
      log.error({ err: error }, 'metrics could not be read');
      response.writeHead(500).end();
    }
  }

  private isAllowed(authorization = ''): boolean {
    const { token } = this.options;
    return token === undefined || timingSafeEqual(sha256(authorization), sha256(`Bearer ${token}`));
  }
}
