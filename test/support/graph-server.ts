// A server that answers as Meta's Graph API does for Lead Ads: leads by their id, and the leads of a form page by page.

import { answering, type Script, type ScriptedRequest } from '../providers/scripted-gateway.js';
import { cloudError } from './cloud-server.js';
import { ProviderServer } from './provider-server.js';

export interface GraphLead {
  id: string;
  form_id: string;
  ad_id: string;
  created_time: string;
  field_data: { name: string; values: string[] }[];
  custom_disclaimer_responses?: { checkbox_key: string; is_checked: string }[];
}

export class GraphServer extends ProviderServer {
  readonly leads = new Map<string, GraphLead>();
  pageSize = 100;

  private constructor(readonly token: string) {
    super();
  }

  static async start(token = 'EAAG-a-token-for-leads'): Promise<GraphServer> {
    const server = new GraphServer(token);
    await server.listen();
    return server;
  }

  /** A filled-in form. */
  add(id: string, answers: Record<string, string>, further: Partial<GraphLead> = {}): GraphLead {
    const lead: GraphLead = {
      id,
      form_id: '555',
      ad_id: '444',
      created_time: metaTime(new Date()),
      field_data: Object.entries(answers).map(([name, value]) => ({ name, values: [value] })),
      ...further,
    };
    this.leads.set(id, lead);
    return lead;
  }

  protected override answer({ headers, path }: ScriptedRequest): Script {
    if (headers.authorization !== `Bearer ${this.token}`) return cloudError(401, 190, 'The access token is not valid');
    const { pathname, searchParams } = new URL(path, this.url);
    const [, version, id = '', edge] = pathname.split('/');
    if (version !== 'v25.0') return cloudError(400, 2635, 'Unknown version');
    if (edge === 'leads') return this.listForm(id, searchParams, path);
    const lead = this.leads.get(id);
    return lead === undefined ? cloudError(400, 100, `Object with ID '${id}' does not exist`) : answering(200, lead);
  }

  private listForm(formId: string, asked: URLSearchParams, path: string): Script {
    const [filter] = JSON.parse(asked.get('filtering') ?? '[]') as { field: string; operator: string; value: number }[];
    const since = filter?.field === 'time_created' && filter.operator === 'GREATER_THAN' ? filter.value : 0;
    const matching = [...this.leads.values()].filter(
      ({ form_id: form, created_time: at }) => form === formId && Date.parse(isoTime(at)) / 1_000 > since,
    );
    const start = Number(asked.get('after') ?? 0);
    const end = start + Math.min(this.pageSize, Number(asked.get('limit') ?? 25));
    const next = end < matching.length ? { next: `${this.url}${path}&after=${end}` } : {};
    const paging = { cursors: { before: String(start), after: String(end) }, ...next };
    return answering(200, { data: matching.slice(start, end), paging });
  }
}

/** Writes a time as Meta does: without a colon in the zone. */
export function metaTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}+0000`;
}

const isoTime = (written: string) => `${written.slice(0, -2)}:${written.slice(-2)}`;
