// A server that answers as Meta's Cloud API does: it accepts messages for one instance, and can be told to answer otherwise.

import { randomUUID } from 'node:crypto';
import { answering } from '../clients/scripted-gateway.js';
import type { Script, ScriptedRequest } from '../clients/scripted-gateway.js';
import { ProviderServer } from './provider-server.js';

/** An error in the shape of the Graph API. */
export function cloudError(
  status: number,
  code: number,
  words = 'It went wrong',
  headers: Record<string, string> = {},
) {
  const error = {
    message: `(#${code}) ${words}`,
    type: 'OAuthException',
    code,
    error_data: { messaging_product: 'whatsapp', details: words },
    fbtrace_id: randomUUID(),
  };
  return answering(status, { error }, headers);
}

export class CloudServer extends ProviderServer {
  static readonly phoneNumberId = '106540352242922';

  private constructor(readonly token: string) {
    super();
  }

  static async start(token = `EAAG${randomUUID()}`): Promise<CloudServer> {
    const server = new CloudServer(token);
    await server.listen();
    return server;
  }

  protected override answer({ method, path, headers, body }: ScriptedRequest): Script {
    if (headers.authorization !== `Bearer ${this.token}`) return cloudError(401, 190, 'The access token is not valid');
    const [, , instance, action = ''] = path.split('/');
    if (instance !== CloudServer.phoneNumberId)
      return cloudError(400, 100, `Object with ID '${instance}' does not exist`);
    if (method === 'GET') {
      const profile = { verified_name: 'Acme', display_phone_number: '+55 11 5555-0000', quality_rating: 'GREEN' };
      return answering(200, { ...profile, id: instance });
    }
    if (action !== 'messages') return cloudError(400, 100, 'Unsupported post request');
    const { to } = body as { to: string };
    const contacts = [{ input: to, wa_id: to }];
    return answering(200, { messaging_product: 'whatsapp', contacts, messages: [{ id: `wamid.${randomUUID()}` }] });
  }
}
