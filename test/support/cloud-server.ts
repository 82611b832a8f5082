// A server that answers as Meta's Cloud API does: it accepts messages for one instance, lists the templates of its account, and
// can be told to answer otherwise.

import { randomUUID } from 'node:crypto';
import { answering, type Script, type ScriptedRequest } from '../providers/scripted-gateway.js';
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
  static readonly wabaId = '102290129340398';

  /** The account's templates, as Meta writes them; undefined: the list is empty, and a message may name any template. */
  templates: object[] | undefined;
  /** The templates on a page, at most. A call may ask for fewer. */
  pageSize = 100;

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
    const [, , instance, action = ''] = path.split('?', 1)[0]?.split('/') ?? [];
    if (instance === CloudServer.wabaId && action === 'message_templates' && method === 'GET')
      return this.listTemplates(path);
    if (instance !== CloudServer.phoneNumberId)
      return cloudError(400, 100, `Object with ID '${instance}' does not exist`);
    if (method === 'GET') {
      const profile = { verified_name: 'Acme', display_phone_number: '+55 11 5555-0000', quality_rating: 'GREEN' };
      return answering(200, { ...profile, id: instance });
    }
    if (action === 'media') return answering(200, { id: String(this.requests.length).padStart(16, '1') });
    if (action !== 'messages') return cloudError(400, 100, 'Unsupported post request');
    const { to, template } = body as { to: string; template?: { name: string; language: { code: string } } };
    if (template !== undefined && !this.has(template)) return cloudError(404, 132001, 'Template name does not exist');
    const contacts = [{ input: to, wa_id: to }];
    return answering(200, { messaging_product: 'whatsapp', contacts, messages: [{ id: `wamid.${randomUUID()}` }] });
  }

  private has({ name, language }: { name: string; language: { code: string } }): boolean {
    return (
      this.templates === undefined ||
      this.templates.some((known) => {
        const { name: knownName, language: knownLanguage } = known as { name: string; language: string };
        return knownName === name && knownLanguage === language.code;
      })
    );
  }

  private listTemplates(path: string): Script {
    const asked = new URL(path, this.url).searchParams;
    const start = Number(asked.get('after') ?? 0);
    const end = start + Math.min(this.pageSize, Number(asked.get('limit') ?? 25));
    const templates = this.templates ?? [];
    const data = templates.slice(start, end);
    const next = end < templates.length ? { next: `${this.url}${path}&after=${end}` } : {};
    return answering(200, { data, paging: { cursors: { before: String(start), after: String(end) }, ...next } });
  }
}
