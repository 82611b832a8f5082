// Recorded calls of the Evolution API with a part of each removed, replaced or wrapped: none may throw, and each gives an item or errors.

import { readFileSync, readdirSync } from 'node:fs';
import type { ReportedItem, ReportedMedia, ReportedMessage } from '../../../src/providers/reported.js';
import { isEvolution, readEvolution } from '../../../src/providers/evolution/reported-call.js';

const folder = new URL('../payloads/evolution/', import.meta.url);

export function describeMutatedEvolutionCalls(count = 200): void {
  describe(`${count.toLocaleString('en')} mutations never throw, and each gives an item or errors`, () => {
    test.each(readdirSync(folder).map((file, index) => [file.replace('.json', ''), index] as const))(
      '%s',
      (name, seed) => {
        const random = randomFrom(seed);
        const body = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as unknown;
        const before = JSON.stringify(body);
        const wrong: unknown[] = [];
        for (let round = 0; round < count; round += 1) {
          const mutation = mutate(body, random);
          isEvolution(mutation);
          const { reports } = readEvolution(mutation, round % 2 === 0 ? undefined : 'messages-upsert');
          const problems = reports.flatMap((report) =>
            'item' in report ? problemsOf(report.item) : report.errors.length > 0 ? [] : ['no errors'],
          );
          if (reports.length === 0 || problems.length > 0 || JSON.stringify(reports).includes('NEVER-KEPT')) {
            wrong.push({ problems, mutation });
          }
        }
        expect(wrong.slice(0, 3)).toEqual([]);
        expect(JSON.stringify(body)).toBe(before);
      },
    );
  });
}

// A small generator of Mulberry's kind: the same seed gives the same mutations on every machine.
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

const strangeValues = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1e400',
  '9007199254740993',
  '0.1',
  '""',
  '" "',
  '"a\\u0000b"',
  '"\\ud800"',
  '"__proto__"',
  '"constructor"',
  '"messages.upsert"',
  '"messages-update"',
  '"connection.update"',
  '"qrcode.updated"',
  '"12025550143@s.whatsapp.net"',
  '"103000000000011@lid"',
  '"@"',
  '"1@g.us"',
  '"READ"',
  '"close"',
  '[]',
  '[null]',
  '[[],{}]',
  '{}',
  '{"__proto__":{"key":{"id":"x"}}}',
  '{"toString":1,"valueOf":null,"hasOwnProperty":5,"length":-1}',
  '{"low":-1,"high":-1}',
  '{"low":"1","high":null}',
  '{"message":{"message":{"message":{}}}}',
  '{"viewOnceMessage":{"message":{"conversation":"x"}}}',
  '{"messages":[{},null,{"key":{}}]}',
  JSON.stringify('x'.repeat(65_537)),
];

const strangeNames = ['__proto__', 'constructor', 'toString', 'messages', 'message', 'key', 'id', 'contextInfo', ''];

/** Every place in the value that can be changed: its holder and its name. */
function placesIn(value: unknown, places: [holder: any, name: string][] = []): [holder: any, name: string][] {
  if (typeof value !== 'object' || value === null) return places;
  for (const [name, inner] of Object.entries(value)) {
    places.push([value, name]);
    placesIn(inner, places);
  }
  return places;
}

// Sets the property like JSON.parse: `__proto__` is a name like any other.
function put(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
}

function mutate(body: unknown, random: (below: number) => number): unknown {
  const root = { body: structuredClone(body) };
  for (let change = random(3); change >= 0; change -= 1) {
    const places = placesIn(root);
    const [holder, name] = places[random(places.length)]!;
    const strange: unknown = JSON.parse(strangeValues[random(strangeValues.length)]!);
    const kind = random(6);
    if (kind === 0 && !Array.isArray(holder)) delete holder[name];
    else if (kind === 1) put(holder, name, [holder[name], strange]);
    else if (kind === 2) put(holder, name, { [strangeNames[random(strangeNames.length)]!]: holder[name] });
    else if (kind === 3 && !Array.isArray(holder)) put(holder, strangeNames[random(strangeNames.length)]!, strange);
    else put(holder, name, strange);
    if (!('body' in root)) return undefined;
  }
  return root.body;
}

function problemsOf(item: ReportedItem): string[] {
  if (item.kind === 'message') {
    return [...messageProblems(item), ...contactProblems(item.contact), ...mediaProblems(item.media)];
  }
  if (item.kind === 'status') {
    return failed([
      ['externalId', isId(item.externalId)],
      ['error', (item.status === 'FAILED') === (item.error !== undefined)],
    ]);
  }
  if (item.kind === 'change') {
    const content = item.change === 'REACTION' ? item.emoji : item.change === 'EDIT' ? item.text : null;
    return [
      ...(item.contact === undefined ? [] : contactProblems(item.contact)),
      ...failed([
        ['externalId', isId(item.externalId)],
        ['content', content === null || isText(content, item.change === 'REACTION' ? 64 : 65_536)],
      ]),
    ];
  }
  // Only Meta reports these two kinds.
  if (item.kind === 'preference') return ['kind'];
  if (item.kind === 'templateStatus') return ['templateStatus'];
  const words = item.kind === 'ignored' ? item.reason : (item.lastError ?? 'all is well');
  return failed([['words', isText(words, 200)]]);
}

function messageProblems(message: ReportedMessage): string[] {
  const { externalId, replyTo, direction, name, type, text, timestamp } = message;
  return failed([
    ['externalId', isId(externalId)],
    ['replyTo', replyTo === undefined || isId(replyTo)],
    ['name', name === undefined || (direction === 'INBOUND' && isText(name, 200))],
    ['type', isText(type, 32)],
    ['text', text === undefined || isText(text, 65_536)],
    ['timestamp', timestamp === undefined || !Number.isNaN(timestamp.getTime())],
  ]);
}

function contactProblems(contact: readonly ReportedMessage['contact'][number][]): string[] {
  const numbers = contact.filter(({ kind }) => kind === 'PHONE');
  const hidden = contact.filter(({ kind }) => kind === 'LID');
  return failed([
    ['no contact', contact.length > 0],
    ['order', JSON.stringify(contact) === JSON.stringify([...numbers, ...hidden])],
    ['number', numbers.every(({ value }) => /^[1-9]\d{6,14}$/.test(value))],
    ['hidden', hidden.every(({ value }) => /^[^\s@]{1,255}$/.test(value))],
  ]);
}

function mediaProblems(media: ReportedMedia | undefined): string[] {
  const { url = null, caption, sizeBytes = 0 } = media ?? {};
  return failed([
    ['url', url === null || /^https?:/.test(url)],
    ['caption', caption === undefined || isText(caption, 65_536)],
    ['size', Number.isSafeInteger(sizeBytes) && sizeBytes >= 0],
  ]);
}

function failed(checks: [name: string, holds: boolean][]): string[] {
  return checks.filter(([, holds]) => !holds).map(([name]) => name);
}

function isText(value: string, maxLength: number): boolean {
  return value.length > 0 && value.length <= maxLength && value.isWellFormed() && !value.includes('\u0000');
}

function isId(value: string): boolean {
  return isText(value, 255) && value.trim() === value;
}
