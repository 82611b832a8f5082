// The texts of the console in its three languages, also those that functions make, and the API's messages about fields.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readHead } from '../../src/features/leads/files/lead-import-preview.js';
import type { AppError } from '../../src/platform/errors.js';
import { consoleFolder, loadOfConsole, provideBrowserGlobals } from './browser-globals.js';

// The types are repeated here, because the console's own types need a browser's.
const languages = ['en', 'pt', 'es'] as const;
type Language = (typeof languages)[number];
type Catalogue = Record<string, string | ((...values: unknown[]) => unknown)>;

/** The arguments for a text: each choice of a parameter, by how English writes its type. */
const samples: Record<string, readonly unknown[]> = {
  string: ['Ana', '1'],
  number: [0, 1, 2],
  boolean: [true, false],
  'string | undefined': ['Ana', undefined],
  'string | null': ['Ana', null],
};

export function describeTexts(): void {
  let setLanguage: (language: Language) => void;
  let inUsersLanguage: (message: string) => string;
  let inNetworkWords: (body: string) => string;
  let withReadableDates: (text: string) => string;

  provideBrowserGlobals();
  beforeAll(async () => {
    ({ setLanguage } = await loadOfConsole<{ setLanguage: typeof setLanguage }>('i18n/language.ts'));
    ({ inUsersLanguage } = await loadOfConsole<{ inUsersLanguage: typeof inUsersLanguage }>('api/field-problems.ts'));
    ({ inNetworkWords } = await loadOfConsole<{ inNetworkWords: typeof inNetworkWords }>('parts/network-texts.ts'));
    ({ withReadableDates } = await loadOfConsole<{ withReadableDates: typeof withReadableDates }>(
      'i18n/dates-in-text.ts',
    ));
  });

  test('every text that a function makes is a sentence in each language, whatever it is called with', async () => {
    const wrong: string[] = [];
    let called = 0;
    for (const { where, texts, given } of await functionTexts()) {
      if (given.length === 0) wrong.push(`${where}: its parameters are not understood`);
      const calls = texts.flatMap(([language, make]) =>
        given.map((values) => ({ language, values, text: make(...values) })),
      );
      called += calls.length;
      const broken = calls.filter(({ text }) => !isSentence(text));
      wrong.push(
        ...broken.map(({ language, values, text }) => `${language} ${where}(${values.join(', ')}): ${String(text)}`),
      );
    }
    expect(wrong).toEqual([]);
    expect(called).toBeGreaterThan(500);
  });

  test('dates of the API are those of the user: a time in the own zone, a day as it is, and nothing else', () => {
    const at = '2026-12-06T09:30:00.000Z';
    for (const [language, locale] of [
      ['en', 'en'],
      ['pt', 'pt-BR'],
      ['es', 'es'],
    ] as const) {
      setLanguage(language);
      const time = new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
      const day = new Date('2026-12-06').toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' });
      expect(withReadableDates(`from ${at} to 2026-12-06.`)).toBe(`from ${time} to ${day}.`);
      for (const other of ['2026-13-45', '+1-2026-12-060', 'order 12026-12-06', '2026/12/06'])
        expect(withReadableDates(other)).toBe(other);
    }
    expect(inNetworkWords('May be called until 2026-12-06')).toBe('Se le puede llamar hasta el 6 dic 2026');
    expect(inNetworkWords('May not be called')).toBe('No se le puede llamar');
    setLanguage('en');
    expect(inNetworkWords('May be called until 2026-12-06')).toBe('May be called until Dec 6, 2026');
  });

  test.each<[string, string, string]>([
    ['is required', 'é obrigatório', 'es obligatorio'],
    [
      'must not be longer than 200 characters',
      'não pode ter mais de 200 caracteres',
      'no puede tener más de 200 caracteres',
    ],
    ['must have at least 1 entry', 'precisa ter pelo menos 1 item(ns)', 'debe tener al menos 1 elemento(s)'],
    ['must not be more than 60', 'não pode ser maior que 60', 'no puede ser mayor que 60'],
    ['must not be more than a year ahead', 'não pode estar a mais de um ano', 'no puede estar a más de un año'],
    ['has to be one of SENT, READ', 'precisa ser um destes: SENT, READ', 'debe ser uno de estos: SENT, READ'],
    ['a lead has at most 50 tags', 'um lead tem no máximo 50 etiquetas', 'un lead tiene como máximo 50 etiquetas'],
    [
      '7 more fields are wrong and are not listed',
      'há mais 7 campos errados que não estão na lista',
      'hay 7 campos más con errores que no están en la lista',
    ],
    ['is in a mood of its own', 'is in a mood of its own', 'is in a mood of its own'],
  ])('what the API says about a field is said in the user’s language: %s', (english, portuguese, spanish) => {
    const said = (wanted: Language) => {
      setLanguage(wanted);
      return inUsersLanguage(english);
    };
    expect([said('en'), said('pt'), said('es')]).toEqual([english, portuguese, spanish]);
    setLanguage('en');
  });

  test('what the API says about files of leads is said in the user’s language', async () => {
    const { sayProblem } = await loadOfConsole<{ sayProblem: (message: string) => string }>(
      'pages/leads/import-sentences.ts',
    );
    const messages = await fileMessages();
    expect(messages.length).toBeGreaterThan(20);
    for (const language of ['pt', 'es'] as const) {
      setLanguage(language);
      expect(messages.filter((message) => sayProblem(message) === message)).toEqual([]);
    }
    setLanguage('en');
    expect(messages.map(sayProblem).filter((said) => /undefined|\bchat\b/.test(said))).toEqual([]);
  });

  test('the journal says of a call who, what and the result, whatever it brought', async () => {
    type WordsOfCall = (call: object, words: object) => Record<'who' | 'what' | 'through' | 'result' | 'tone', string>;
    const { wordsOfCall } = await loadOfConsole<{ wordsOfCall: WordsOfCall }>('pages/calls/call-words.ts');
    const { callRowTexts } = await loadOfConsole<{ callRowTexts: Record<Language, Catalogue> }>(
      'pages/calls/row-texts.ts',
    );
    const { messageWordTexts } = await loadOfConsole<{ messageWordTexts: Record<Language, Catalogue> }>(
      'parts/message-word-texts.ts',
    );
    const nothing = {
      kinds: [],
      reported: [],
      result: null,
      lead: null,
      message: null,
      instance: null,
      leadSource: null,
    };
    const call = {
      ...nothing,
      route: '/webhooks/x',
      dialect: null,
      outcome: 'PROCESSED',
      reason: null,
      itemCount: 1,
      replayOfId: null,
    };
    const said = (change: object, language: Language = 'en') => {
      const texts = { texts: callRowTexts[language], messageTexts: messageWordTexts[language], formatNumber: String };
      const { who, what, through, result, tone } = wordsOfCall({ ...call, ...change }, texts);
      return [who, what, through, tone === undefined ? result : `${tone} ${result}`];
    };
    const answer = (...results: object[]) => ({ result: { accepted: results.length, results } });
    const lead = { id: 'l', name: 'Ana' };
    const instance = { id: 'i', instanceName: 'sales' };
    const text = { type: 'text', body: 'Oi', media: null, choice: null, deletedAt: null };
    const voice = { ...text, type: 'audio', body: null };
    const status = {
      kinds: ['STATUS'],
      lead,
      instance,
      message: text,
      ...answer({ outcome: 'applied', externalId: 'x' }),
    };
    expect(said({ ...status, reported: ['READ'] })).toEqual(['Ana', 'Status of “Oi”', 'sales', 'Read']);
    expect(said({ ...status, reported: ['READ', 'FAILED'], itemCount: 3 })).toEqual([
      'Ana',
      'Status of “Oi”, and 2 more',
      'sales',
      'warn Not sent',
    ]);
    expect(said({ kinds: ['STATUS'], instance, reported: ['SENT'], ...answer({ outcome: 'parked' }) })).toEqual([
      'sales',
      'Status of an unknown message',
      'sales',
      'Waits for its message',
    ]);
    const message = { kinds: ['MESSAGE'], lead, instance, message: voice };
    expect(said({ ...message, ...answer({ duplicate: false }) })).toEqual(['Ana', 'Audio', 'sales', 'Message']);
    expect(said({ ...message, kinds: [], ...answer({ duplicate: true }) })[3]).toBe('Again, was known');
    expect(said({ kinds: ['CHANGE'], lead, instance, message: text, reported: ['EDIT'], ...answer({}) }, 'pt')).toEqual(
      ['Ana', 'Edição de “Oi”', 'sales', 'Recebida'],
    );
    expect(said({ kinds: ['CONNECTION'], instance, reported: ['DISCONNECTED'] }, 'es')).toEqual([
      'sales',
      'La pasarela dice: desconectado',
      'sales',
      'warn Desconectado',
    ]);
    const form = { dialect: 'FORM', leadSource: { id: 's', name: 'Site', kind: 'FORM' } };
    expect(said({ ...form, kinds: ['LEAD'], lead, ...answer({ created: true, leadId: 'l' }) })).toEqual([
      'Site',
      'New lead Ana',
      'form',
      'Lead',
    ]);
    expect(said({ ...form, ...answer({ outcome: 'held' }) })).toEqual([
      'Site',
      'Lead',
      'form',
      'warn Waits for a number',
    ]);
    expect(said({ kinds: ['IGNORED'], instance, ...answer({ outcome: 'ignored', reason: 'a group' }) })).toEqual([
      'sales',
      'Nothing to take in: a group',
      'sales',
      'Ignored',
    ]);
    const ignored = (reason: string, language: Language) => {
      setLanguage(language);
      return said({ kinds: ['IGNORED'], instance, ...answer({ outcome: 'ignored', reason }) }, language)[1];
    };
    expect(ignored('quiet: poll.vote', 'en')).toBe('Nothing to take in: poll.vote');
    expect(ignored('quiet: a call of the line itself', 'pt')).toBe('Nada a receber: uma chamada da própria linha');
    expect(ignored('an event that is not handled: poll', 'es')).toBe(
      'Nada que recibir: un evento que no se trata: poll',
    );
    expect(ignored('a reason of the future', 'es')).toBe('Nada que recibir: a reason of the future');
    setLanguage('en');
    const refused = { outcome: 'REFUSED', itemCount: 0 };
    expect(said({ ...refused, reason: 'SIGNATURE_INVALID: x-signature is missing' })).toEqual([
      'unknown',
      '/webhooks/x',
      '–',
      'late Refused: signature',
    ]);
    expect(said({ ...refused, reason: 'ERASED: gone', replayOfId: 'r' })[3]).toBe('late Refused: ERASED, replay');
    const half = {
      outcome: 'PARTIAL',
      itemCount: 2,
      ...answer({ duplicate: false }, { outcome: 'refused', errors: [] }),
    };
    expect(said({ ...message, ...half })[3]).toBe('warn Partly: 1 of 2');
  });

  test('the list says of the last message its text, its file, its choice, or the name of its kind', async () => {
    type WordsOfMessage = (message: object, words: Catalogue) => string;
    const { wordsOfMessage } = await loadOfConsole<{ wordsOfMessage: WordsOfMessage }>('parts/message-words.ts');
    const { messageWordTexts: words } = await loadOfConsole<{ messageWordTexts: Record<Language, Catalogue> }>(
      'parts/message-word-texts.ts',
    );
    const silent = { type: 'text', body: null, media: null, choice: null, deletedAt: null };
    const said = (message: object, language: Language = 'en') =>
      wordsOfMessage({ ...silent, ...message }, words[language]);
    const file = { mimeType: 'image/webp', fileName: null };
    expect(said({ body: 'hi' })).toBe('hi');
    expect(languages.map((language) => said({ type: 'hologram' }, language))).toEqual([
      'Unknown kind: hologram',
      'Tipo desconhecido: hologram',
      'Tipo desconocido: hologram',
    ]);
    // A kind may be called like another text of the page.
    expect(said({ type: 'order' })).toBe('Unknown kind: order');
    expect(said({ type: 'unread' })).toBe('Unknown kind: unread');
    expect(said({ type: 'unknown' })).toBe('Not fully arrived yet');
    expect(said({})).toBe('Message');
    expect(said({ type: 'sticker', media: file })).toBe('Sticker');
    expect(said({ type: 'ptv', media: { ...file, mimeType: 'video/mp4' } })).toBe('Video');
    expect(said({ type: 'image', media: { ...file, fileName: 'a.webp' } })).toBe('a.webp');
    expect(said({ type: 'interactive', choice: { kind: 'FLOW' } })).toBe('Filled in a form');
    expect(said({ type: 'call', body: 'Voice call' })).toBe('Voice call');
    expect(said({ type: 'notice' })).toBe('Notice');
    expect(said({ type: 'hologram', deletedAt: '2026-11-27T10:00:00.000Z' })).toBe('Deleted message');
  });

  test('the sources that the service gives have names in each language, under which they are found', async () => {
    interface SourceNames {
      nameOfSource: (source: string) => string;
      sourcesNamed: (name: string) => string[];
    }
    const { nameOfSource, sourcesNamed } = await loadOfConsole<SourceNames>('parts/source-name.ts');
    const named = (language: Language) => {
      setLanguage(language);
      return ['ad', 'post', 'product', 'webhook', 'Summer fair'].map(nameOfSource);
    };
    expect(named('pt')).toEqual(['Anúncio', 'Publicação', 'Produto', 'webhook', 'Summer fair']);
    expect(named('es')).toEqual(['Anuncio', 'Publicación', 'Producto', 'webhook', 'Summer fair']);
    expect(named('en')).toEqual(['Ad', 'Post', 'Product', 'webhook', 'Summer fair']);
    expect(sourcesNamed('anúncio')).toEqual(['anúncio', 'ad']);
    expect(sourcesNamed('ad')).toEqual(['ad']);
    expect(sourcesNamed('Summer fair')).toEqual(['Summer fair']);
  });

  test('the headers of the sample file are known in each language', async () => {
    const { sampleFile } = await loadOfConsole<{ sampleFile: (language: Language) => string }>(
      'pages/leads/import-sample.ts',
    );
    for (const language of languages) {
      const { columns, problem, rows } = await readHead(Buffer.from(sampleFile(language)), {
        given: {},
        country: undefined,
      });
      expect(columns.map(({ field }) => field)).toEqual([
        'chat',
        'name',
        'source',
        'country',
        'tags',
        expect.stringMatching(/^customFields\.C/),
      ]);
      expect([problem, ...rows.flatMap(({ problems }) => problems)]).toEqual([null]);
      expect(rows).toHaveLength(2);
    }
  });
}

/** The messages about wrong files, columns and rows, from the functions that make them. */
async function fileMessages(): Promise<string[]> {
  const told: string[] = [];
  const columns = (given: Record<string, string | null>) => ({ given, country: undefined });
  const heads: [string | Uint8Array, ReturnType<typeof columns>?][] = [
    ['chat\n11 98888-7777\n012345678901\n1\n5.51E+12\nabc\n'],
    ['chat,name\n4915100000001,a,b\n'],
    [`chat,${Array.from({ length: 60 }, (_, index) => `c${index}`).join()}\n1${',x'.repeat(60)}\n`],
    [`chat,${Array.from({ length: 60 }, (_, index) => `c${index}`).join()}\n1,x\n`],
    [`chat,${'x'.repeat(70)}\n`],
    ['chat,x\n', columns({ x: `metadata.${'x'.repeat(70)}` })],
    ['a,b\n', columns({ a: 'chat', b: 'chat' })],
    ['Telefone,Celular\n'],
    ['A title\nTelefone,Nome\n'],
    [`${Array.from({ length: 1_001 }, (_, index) => index).join()}\n`],
    ['chat,name\n1,"x\n'],
    ['chat,name\n1,"x" y\n'],
    ['chat,name\n1,x "y"\n'],
    [`chat,name\n1,"${'x'.repeat(70_000)}\n`],
    [Uint8Array.of(0x63, 0xff, 0x0a)],
    [Uint8Array.of(0x50, 0x4b, 3, 4)],
    [Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0)],
    [Uint8Array.of(0xff, 0xfe)],
    ['%PDF-1.7'],
    [Uint8Array.of(0x1f, 0x8b)],
    ['<html>'],
  ];
  for (const [content, manner = columns({})] of heads)
    try {
      const head = await readHead(Buffer.from(content as string), manner);
      told.push(...[head.problem, head.note, ...head.columns.map(({ note }) => note)].filter((one) => one !== null));
      told.push(...head.rows.flatMap(({ problems }) => problems.map(({ message }) => message)));
    } catch (error) {
      const { message, errors } = error as AppError;
      told.push(...(errors?.map((one) => one.message) ?? [message]));
    }
  return [...new Set(told), 'is the number of line 2, which counts'].filter((one) => !one.startsWith('has no column'));
}

async function catalogueFiles(): Promise<string[]> {
  const names = (await readdir(consoleFolder, { recursive: true })).filter((name) => /(?:^|[/-])texts\.ts$/.test(name));
  expect(names.length).toBeGreaterThan(20);
  return names;
}

const isSentence = (text: unknown) =>
  typeof text === 'string' && text.trim() !== '' && !/undefined|null|NaN|\[object/.test(text);

type Make = (...values: unknown[]) => unknown;

interface FunctionText {
  where: string;
  texts: (readonly [Language, Make])[];
  given: unknown[][];
}

async function functionTexts(): Promise<FunctionText[]> {
  const found: FunctionText[] = [];
  for (const name of await catalogueFiles()) {
    const source = await readFile(join(consoleFolder, name), 'utf8');
    const catalogues = Object.values(await loadOfConsole<Record<string, unknown>>(name)).filter(isTexts);
    for (const catalogue of catalogues)
      for (const key of Object.keys(catalogue.en).filter((one) => typeof catalogue.en[one] === 'function'))
        found.push({
          where: `${name} ${key}`,
          texts: languages.map((language) => [language, catalogue[language][key] as Make]),
          given: argumentsOf(source, key),
        });
  }
  return found;
}

const isTexts = (value: unknown): value is Record<Language, Catalogue> =>
  typeof value === 'object' && value !== null && ['en', 'pt', 'es'].every((language) => language in value);

/** Every combination of samples for the parameters that English declares. */
function argumentsOf(source: string, key: string): unknown[][] {
  const [, named] = new RegExp(`^ {4}${key}: (\\w+),`, 'm').exec(source) ?? [];
  const start = named === undefined ? `^ {4}${key}: ` : `^const ${named} = `;
  const [, declared] = new RegExp(`${start}\\(([^)]*)\\) =>`, 'm').exec(source) ?? [];
  if (declared === undefined) return [];
  const types = declared
    .split(',')
    .map((parameter) => parameter.slice(parameter.indexOf(':') + 1).trim())
    .filter((type) => type !== '');
  return types.reduce<unknown[][]>(
    (before, type) => before.flatMap((values) => valuesOf(type).map((value) => [...values, value])),
    [[]],
  );
}

function valuesOf(type: string): readonly unknown[] {
  const literals = [...type.matchAll(/'([^']*)'/g)].map(([, literal]) => literal);
  return samples[type] ?? literals;
}
