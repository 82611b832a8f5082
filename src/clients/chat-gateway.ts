// What every chat gateway can do for us, whatever protocol it speaks. Drivers implement it; messages use it.

/** Where a gateway is and how it knows us. */
export interface GatewayEndpoint {
  baseUrl: string;
  token: string | null;
  instanceName: string;
}

export interface OutgoingMessage {
  /** Our message id; the same id sent twice must arrive once. */
  idempotencyKey: string;
  /** Digits with country code. */
  to: string;
  type: string;
  text: string | null;
  media: object | null;
  replyTo: string | null;
}

/**
 * - `accepted`: the gateway has it, under this id.
 * - `temporary`: not accepted, or no one can tell; sending again under the same key is safe.
 * - `permanent`: sending it again cannot help.
 */
export type SendResult =
  | { outcome: 'accepted'; externalId: string }
  | { outcome: 'temporary'; code: string; detail: string; retryAfterSeconds?: number | undefined }
  | { outcome: 'permanent'; code: string; detail: string };

export interface ChatGateway {
  /** Never throws: whatever happens on the network is one of the results. */
  send(endpoint: GatewayEndpoint, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult>;
}
