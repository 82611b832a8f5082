// A server that answers as Meta's Cloud API does: it accepts messages for one line, lists the templates of its account, and can be told
// to answer otherwise.

import { randomUUID } from 'node:crypto';
import { ScriptedGateway, answering } from '../clients/scripted-gateway.js';
import type { Script, ScriptedRequest } from '../clients/scripted-gateway.js';

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

export class CloudServer {
  static readonly phoneNumberId = '106540352242922';
  static readonly wabaId = '102290129340398';

  /** The account's templates, as Meta writes them; undefined: it has none, and takes every one that is sent. */
  templates: object[] | undefined;
  /** How many of them stand on a page; what a call asks for where it is less. */
  pageSize = 100;

  /** Asked before the server's own answers; undefined leaves the answer to it. */
  script: ((request: ScriptedRequest) => Script | undefined) | undefined;

  private constructor(
    private readonly gateway: ScriptedGateway,
    readonly token: string,
  ) {}

  static async start(token = `EAAG${randomUUID()}`): Promise<CloudServer> {
    const gateway = await ScriptedGateway.start((request, response) => {
      const answer = server.script?.(request) ?? server.answer(request);
      answer(request, response);
    });
    const server = new CloudServer(gateway, token);
    return server;
  }

  get url(): string {
    return this.gateway.url;
  }

  get requests(): ScriptedRequest[] {
    return this.gateway.requests;
  }

  close(): Promise<void> {
    return this.gateway.close();
  }

  /** Answers every request alike from now on. */
  always(script: Script): void {
    this.script = () => script;
  }

  private answer({ method, path, headers, body }: ScriptedRequest): Script {
    if (headers.authorization !== `Bearer ${this.token}`) return cloudError(401, 190, 'The access token is not valid');
    const [, , line, action = ''] = path.split('?', 1)[0]?.split('/') ?? [];
    if (line === CloudServer.wabaId && action === 'message_templates' && method === 'GET')
      return this.listTemplates(path);
    if (line !== CloudServer.phoneNumberId) return cloudError(400, 100, `Object with ID '${line}' does not exist`);
    if (method === 'GET') {
      const profile = { verified_name: 'Acme', display_phone_number: '+55 11 5555-0000', quality_rating: 'GREEN' };
      return answering(200, { ...profile, id: line });
    }
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
