// Each table has one owner: only its module writes it, modules above read it through the owner's exports, and no module reads upwards. A
// statement assembled from another module's fragments counts for the module whose file holds the text.

import { readdir, readFile } from 'node:fs/promises';

const sources = new URL('../../src/', import.meta.url);
const schema = new URL('../../prisma/schema.prisma', import.meta.url);

/** The modules from bottom to top, in the order of their imports. */
const ownedTables: Record<string, string[]> = {
  platform: ['events', 'event_heads'],
  audit: ['audit_entries'],
  tenants: ['tenants', 'tenant_api_keys'],
  users: ['users', 'accounts'],
  auth: ['sign_in_links'],
  'chat-instances': ['chat_instances'],
  leads: [
    'leads',
    'lead_identities',
    'lead_search_keys',
    'lead_touches',
    'lead_merges',
    'lead_notes',
    'lead_presences',
    'inbox_views',
    'lead_views',
    'lead_assignments',
    'lead_imports',
    'lead_import_refused_rows',
    'erased_identities',
    'erasure_keys',
    'hidden_numbers',
  ],
  templates: ['templates', 'template_versions', 'template_files'],
  'channel-templates': ['channel_templates'],
  messages: [
    'messages',
    'message_status_transitions',
    'message_reactions',
    'message_changes',
    'parked_statuses',
    'parked_changes',
  ],
  search: ['message_words', 'message_word_progress'],
  consent: ['consent_entries', 'opt_outs'],
  media: ['media_files', 'media_deletions'],
  'read-receipts': [],
  outbox: ['outbox_entries', 'send_attempts', 'channel_numbers'],
  'bulk-sends': ['bulk_sends', 'bulk_send_watches'],
  'bulk-actions': ['bulk_actions', 'bulk_action_leads'],
  dashboards: ['dashboards', 'dashboard_changes', 'message_counts', 'counts_to_move', 'reply_times'],
  intake: ['webhook_deliveries'],
  'lead-sources': ['lead_sources', 'lead_source_leads', 'lead_source_forms', 'held_submissions'],
  journal: [],
  recovery: ['instance_recoveries', 'instance_audits'],
  'outgoing-webhooks': ['webhook_endpoints', 'endpoint_deliveries'],
  push: ['push_devices', 'push_progress'],
  live: [],
  retention: [],
};

/** A module's own statements on other modules' tables, with reasons. They never point upwards. */
const exceptions: { module: string; writes?: string[]; reads?: string[]; why: string }[] = [
  ...['users', 'chat-instances', 'leads', 'media', 'outbox', 'intake', 'lead-sources', 'outgoing-webhooks'].map(
    (module) => ({
      module,
      reads: ['tenants'],
      why: 'joins the row of its own tenant: whether it is active, its limit, its label',
    }),
  ),
  {
    module: 'commands',
    reads: ['tenants', 'outbox_entries'],
    why: 'moves all rows of a tenant in one transaction of its own, and asks before whether they may go',
  },
  {
    module: 'commands',
    reads: ['media_files', 'messages', 'leads', 'chat_instances', 'events', 'event_heads'],
    why: 'the drill examines a restored copy, on which no service runs',
  },
  {
    module: 'leads',
    reads: ['chat_instances'],
    why: 'joins the instance whose gateway is asked for a hidden number',
  },
  {
    module: 'messages',
    reads: ['lead_identities'],
    why: 'joins what the leads of messages are known under',
  },
  {
    module: 'search',
    reads: ['tenants', 'messages', 'events', 'event_heads'],
    why: 'follows the event log of each tenant, and looks for words in the messages that it names',
  },
  {
    module: 'consent',
    reads: ['messages'],
    why: 'asks whether a message needs consent, and whether its lead wrote lately, in conditions of statements above',
  },
  {
    module: 'media',
    reads: ['messages', 'chat_instances'],
    why: 'joins the message of a file, and the instance whose gateway has it',
  },
  {
    module: 'read-receipts',
    reads: ['messages', 'leads', 'chat_instances'],
    why: 'joins the newest messages of a lead with its number, and the instances that they came through',
  },
  {
    module: 'outbox',
    writes: ['messages', 'message_status_transitions'],
    reads: ['chat_instances', 'leads', 'messages', 'message_status_transitions'],
    why: 'writes our messages: with their history and their place in the queue, under locks in one order',
  },
  {
    module: 'bulk-sends',
    reads: ['messages', 'events', 'event_heads'],
    why: 'counts its messages by status, and finds those that changed by the event log',
  },
  {
    module: 'dashboards',
    reads: ['leads', 'messages', 'opt_outs', 'outbox_entries'],
    why: 'counts and groups what the modules below keep',
  },
  {
    module: 'intake',
    writes: ['leads', 'lead_identities', 'lead_touches', 'messages', 'event_heads', 'events'],
    reads: ['leads', 'lead_identities', 'messages'],
    why: 'the fast path takes in a batch of calls by one statement, measured to be 1.2 to 1.6 times as fast',
  },
  {
    module: 'recovery',
    reads: ['tenants', 'chat_instances', 'messages'],
    why: 'joins the instances that are connected, and looks at what they have brought and sent',
  },
  { module: 'journal', reads: ['webhook_deliveries'], why: 'shows what intake has written' },
  {
    module: 'outgoing-webhooks',
    reads: ['events', 'event_heads'],
    why: 'claims the next events of many endpoints by one statement',
  },
  {
    module: 'push',
    reads: ['tenants', 'events', 'event_heads', 'messages', 'leads', 'users'],
    why: 'follows the event log of each tenant, and joins the messages that came in with the users whom they concern',
  },
];

interface Use {
  module: string;
  table: string;
  kind: 'reads' | 'writes';
  file: string;
}

// The sources write keywords in capitals, and aliases in small letters.
const item = String.raw`(?:ONLY\s+|LATERAL\s+)?(?:partitions\.|public\.)?\w+(?:\s+(?:AS\s+)?[a-z]\w*)?`;
const clause = new RegExp(
  String.raw`(\b\w+\s+)?\b(FROM|JOIN|UPDATE|INTO|USING|TABLE)\s+(${item}(?:\s*,\s*${item})*)`,
  'g',
);

const tables = await readTables();
const order = Object.keys(ownedTables);
const ownerOf = new Map(Object.entries(ownedTables).flatMap(([owner, names]) => names.map((name) => [name, owner])));
const uses = await readUses();

export function describeTableOwners() {
  test('every table has exactly one owner', () => {
    expect(Object.values(ownedTables).flat().toSorted()).toEqual([...tables.keys()].toSorted());
  });

  test('the tables of every module are found in its statements', () => {
    const found = new Set(uses.map(({ table }) => table));
    expect([...tables.keys()].filter((table) => !found.has(table))).toEqual([]);
  });

  test('a module writes its own tables, and reads those of others by what they export', () => {
    const strangers = uses.filter(({ module, table }) => ownerOf.get(table) !== module);
    const isExcepted = ({ module, table, kind }: Use) =>
      exceptions.some((exception) => exception.module === module && exception[kind]?.includes(table) === true);
    expect(strangers.filter((use) => !isExcepted(use)).map(wordsOf)).toEqual([]);
  });

  test('no module reads or writes a table of a module above it', () => {
    const placeOf = (module: string | undefined) => order.indexOf(module ?? '');
    const upwards = uses.filter(({ module, table }) => {
      // Folders that are no feature, such as commands and transports, stand above all features.
      const place = placeOf(module);
      return place !== -1 && place < placeOf(ownerOf.get(table));
    });
    expect(upwards.map(wordsOf)).toEqual([]);
  });

  test('every exception is needed', () => {
    const unneeded = exceptions.flatMap(({ module, ...exception }) =>
      (['reads', 'writes'] as const).flatMap((kind) =>
        (exception[kind] ?? [])
          .filter((table) => !uses.some((use) => use.module === module && use.table === table && use.kind === kind))
          .map((table) => `${module} ${kind} ${table}`),
      ),
    );
    expect(unneeded).toEqual([]);
  });

  describe('what a source does to tables', () => {
    const usesIn = (source: string) =>
      usesOf('features/leads/x.ts', source).map(({ kind, table }) => `${kind} ${table}`);

    test.each([
      ['`SELECT FROM leads l JOIN LATERAL users u, messages m`', ['reads leads', 'reads users', 'reads messages']],
      [
        '`WITH a AS (INSERT INTO events SELECT 1), b AS (DELETE FROM tenants USING users) TABLE leads`',
        ['writes events', 'writes tenants', 'reads users', 'reads leads'],
      ],
      ['`SELECT ${`FROM leads`} FOR UPDATE OF users ON CONFLICT DO UPDATE SET x = 1`', ['reads leads']],
      ["'UPDATE users SET x'", ['writes users']],
      ['const fragment = `messages m WHERE m.id = 1`', ['reads messages']],
      ["const rows = { table: 'messages', key: 'id' }", ['writes messages']],
      ['await this.options.database.prisma.leadIdentity.findMany({})', ['reads lead_identities']],
      ['await prisma.lead.updateMany({})', ['writes leads']],
      ["// FROM leads\n/* 'FROM users' */ const pattern = /'/; const words = 'the leads that he knew'", []],
      ['`SELECT FROM changed JOIN unnest($1) AS leads`', []],
      ['`SELECT FROM messages JOIN leads USING (tenant_id)`', ['reads messages', 'reads leads']],
    ])('%s', (source, expected) => expect(usesIn(source)).toEqual(expected));
  });
}

function wordsOf({ module, kind, table, file }: Use): string {
  return `${module} ${kind} ${table} of ${ownerOf.get(table)}: ${file}`;
}

/** The tables, with the names of their Prisma models. */
async function readTables(): Promise<Map<string, string>> {
  const models = (await readFile(schema, 'utf8')).matchAll(/^model (\w+) \{.*?@@map\("(\w+)"\)\s*^\}/gms);
  return new Map(Array.from(models, ([, model = '', table = '']) => [table, model[0]?.toLowerCase() + model.slice(1)]));
}

async function readUses(): Promise<Use[]> {
  const files = (await readdir(sources, { recursive: true })).filter((file) => file.endsWith('.ts')).toSorted();
  const written = files.filter((file) => !file.startsWith('platform/prisma/'));
  return (
    await Promise.all(written.map(async (file) => usesOf(file, await readFile(new URL(file, sources), 'utf8'))))
  ).flat();
}

function usesOf(file: string, source: string): Use[] {
  const [folder = '', feature = ''] = file.split('/');
  const module = folder === 'features' ? feature : folder;
  const use = (kind: Use['kind'], table: string): Use[] => (tables.has(table) ? [{ module, table, kind, file }] : []);
  const tableOfModel = (model: string) => [...tables].find(([, name]) => name === model)?.[0] ?? '';
  const { literals, code } = partsOf(source);
  return [
    ...literals.flatMap((literal) => [
      ...Array.from(literal.matchAll(clause), ([, before = '', word = '', items = '']) =>
        tablesIn(items).flatMap((table) => use(isWrite(before, word) ? 'writes' : 'reads', table)),
      ).flat(),
      // A fragment that follows FROM.
      ...use('reads', /^\s*(\w+) [a-z]{1,2}(?: (?:JOIN|WHERE)|$)/.exec(literal)?.[1] ?? ''),
    ]),
    // A table that a statement of another module has to change.
    ...Array.from(source.matchAll(/\btable: '(\w+)'/g), ([, table = '']) => use('writes', table)).flat(),
    ...Array.from(code.matchAll(/\bprisma\s*\.(\w+)\s*\.(\w+)/g), ([, model = '', method = '']) =>
      use(/^(?:create|update|delete|upsert)/.test(method) ? 'writes' : 'reads', tableOfModel(model)),
    ).flat(),
  ];
}

function tablesIn(items: string): string[] {
  return items.split(',').map((one) => /^(?:ONLY |LATERAL |partitions\.|public\.)*(\w+)/.exec(one.trim())?.[1] ?? '');
}

// `FOR UPDATE OF users` and `DO UPDATE SET` name no table here: `OF` and `SET` are no tables.
function isWrite(before: string, word: string): boolean {
  return word === 'INTO' || word === 'UPDATE' || (word === 'FROM' && before.trim() === 'DELETE');
}

/** Splits a source into its strings and templates, with those in placeholders apart, and its code without them and without comments. */
function partsOf(source: string): { literals: string[]; code: string } {
  const literals: string[] = [];
  let code = '';
  // A placeholder in a template is code, which may hold templates again.
  const open: { literal: string; depth: number }[] = [];
  let depth = 0;
  const token =
    /\/\/[^\n]*|\/\*.*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?<=[(=,:[!&|?{};\n]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|[`{}]|./gsy;
  const readTemplate = (literal: string) => {
    const rest = /(?:[^`\\$]|\\.|\$(?!\{))*/sy;
    rest.lastIndex = token.lastIndex;
    const text = literal + (rest.exec(source)?.[0] ?? '');
    token.lastIndex = rest.lastIndex;
    if (source.startsWith('${', token.lastIndex)) {
      token.lastIndex += 2;
      open.push({ literal: `${text}$`, depth });
      depth = 0;
    } else {
      token.lastIndex += 1;
      literals.push(text);
    }
  };
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const [text] = match;
    if (text === '`') readTemplate('');
    else if (text === '}' && depth === 0 && open.length > 0) {
      const { literal, depth: outer } = open.pop() ?? { literal: '', depth: 0 };
      depth = outer;
      readTemplate(literal);
    } else if (text.length > 1) {
      if (/^['"]/.test(text)) literals.push(text.slice(1, -1));
    } else {
      depth += text === '{' ? 1 : text === '}' ? -1 : 0;
      code += text;
    }
  }
  return { literals, code };
}
