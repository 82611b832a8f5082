// Decides whether the signature of a gateway's call is accepted, by the secret of its instance or else by that of the installation.
// signature-diagnosis.ts explains a wrong one. Calls of Meta and of lead sources are judged before their tenant is known: by
// `networkWebhooks` and `sourceWebhooks` in transport/http/authenticate.ts.

import { AppError } from '../../platform/errors.js';
import { jsonOf } from '../../platform/http/json-body.js';
import { signatureMatches } from '../../platform/http/hmac-signature.js';
import type { OwnSignature } from '../../providers/provider.js';
import type { WebhookSecretService } from '../chat-instances/webhook-secret.service.js';
import type { WebhookCall } from './webhook-call.js';

export interface SignatureCheckOptions {
  webhookSecrets: Pick<WebhookSecretService, 'find'>;
  /** Undefined: chat webhooks are accepted without a signature. */
  webhookSecret: string | undefined;
  /** The previous secret, still accepted while `webhookSecret` is being replaced. */
  previousWebhookSecret: string | undefined;
}

export class SignatureCheck {
  constructor(private readonly options: SignatureCheckOptions) {}

  /**
   * Checks a call of a provider that signs with the secret of the instance. A call for an instance without a secret is checked like any
   * other call.
   * @throws AppError SIGNATURE_INVALID
   */
  async checkOwn(call: WebhookCall, signature: OwnSignature, body: unknown): Promise<void> {
    const secret = await this.options.webhookSecrets.find(call.tenantId, signature.instanceOf(body) ?? '');
    if (secret === undefined) return this.check(call);
    if (signature.matches(secret, call.hmac, call.body)) return;
    const problem = call.hmac === undefined ? 'is missing' : 'does not match the body';
    throw new AppError('SIGNATURE_INVALID', `${signature.header} ${problem}`);
  }

  /** Checks a call by the secrets of the installation. @throws AppError SIGNATURE_INVALID */
  check({ signature, body }: WebhookCall): void {
    const { webhookSecret, previousWebhookSecret } = this.options;
    if (webhookSecret === undefined) return;
    const secrets = [webhookSecret, ...(previousWebhookSecret === undefined ? [] : [previousWebhookSecret])];
    if (secrets.some((secret) => signatureMatches(secret, signature, body, () => jsonOf(body)))) return;
    const part = signature === undefined ? 'x-signature is missing' : 'x-signature does not match the body';
    throw new AppError('SIGNATURE_INVALID', part);
  }
}
