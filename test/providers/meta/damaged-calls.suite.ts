// Recorded calls of Meta that were damaged at random: whatever is read of them is bounded, and the rest is refused by name.

import { readFileSync, readdirSync } from 'node:fs';
import { readMeta, type ReadMetaCall } from '../../../src/providers/meta/reported-call.js';
import type {
  LeadIdentity,
  ReportedMessage,
  ReportedStatus,
  ReportedTemplateStatus,
} from '../../../src/providers/reported.js';

const folder = new URL('../payloads/cloud/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

/** Mulberry32: the same numbers on every run, from 0 to below 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const junk = [
  'null',
  'true',
  '-1',
  '0.5',
  '9007199254740993',
  '1e400',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"__proto__"',
  '"constructor"',
  '"edit"',
  '"system"',
  '"group"',
  '"BR.1"',
  '"99999999999999999999"',
  `"${'x'.repeat(70_000)}"`,
  '[]',
  '{}',
  '[[[[]]]]',
  '[null,1,"x",{}]',
  '{"__proto__":{"id":"x","body":"x"}}',
  '{"toString":1,"length":-1,"id":"x"}',
];

/** Every place in the value, as its holder and key. */
function placesOf(value: any): { holder: any; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [{ holder: value, key }, ...placesOf(value[key])]);
}

function damage(body: any, random: () => number): void {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
  const places = placesOf(body);
  if (places.length === 0) return;
  const { holder, key } = pick(places);
  const other = pick(places);
  const actions = [
    () => (holder[key] = JSON.parse(pick(junk))),
    () => (holder[key] = JSON.parse(pick(junk))),
    () => delete holder[key],
    () => (holder[key] = structuredClone(other.holder[other.key])),
    () =>
      Array.isArray(holder) ? holder.push(structuredClone(holder[Number(key)])) : (holder.type = pick(places).key),
    () => (holder[key] = [holder[key]]),
  ];
  pick(actions)();
}

function at(body: any, path: string): unknown {
  return path === '' ? body : path.split('.').reduce((value: any, key) => value?.[key], body);
}

const isStorable = (text: string) => text !== '' && text.isWellFormed() && !text.includes('\u0000');
const isShort = (text: string | null | undefined, max: number) =>
  text == null || (isStorable(text) && text.length <= max);

const isIdentity = ({ kind, value }: LeadIdentity) =>
  kind === 'PHONE' ? /^[1-9]\d{6,14}$/.test(value) : isShort(value, 255);
const isTime = (time: Date | undefined) => time === undefined || time.getTime() >= Date.UTC(2000, 0);

function problemsOf(item: ReportedMessage | ReportedStatus): string[] {
  const problems: string[] = [];
  if (!isShort(item.externalId, 255)) problems.push('externalId');
  if (!(item.contact ?? []).every(isIdentity)) problems.push('contact');
  if (!isTime(item.timestamp)) problems.push('timestamp');
  return item.kind === 'message' ? [...problems, ...textProblemsOf(item)] : problems;
}

function textProblemsOf({ contact, media, ...item }: ReportedMessage): string[] {
  const bounds: [string | null | undefined, number][] = [
    [item.name, 200],
    [item.type, 32],
    [item.text, 65_536],
    [item.replyTo, 255],
    [media?.url, 2_048],
    [media?.providerId, 255],
    [media?.mimeType, 100],
    [media?.fileName, 255],
    [media?.caption, 65_536],
  ];
  const problems = bounds.flatMap(([text, max]) => (isShort(text, max) ? [] : [`${text?.slice(0, 50)} over ${max}`]));
  return contact.length === 0 ? [...problems, 'nobody'] : problems;
}

function problemsOfTemplate(item: ReportedTemplateStatus): string[] {
  const bounds: [string | null, number][] = [
    [item.wabaId, 255],
    [item.name, 512],
    [item.language, 35],
    [item.status, 64],
    [item.reason, 500],
  ];
  const problems = bounds.flatMap(([text, max]) => (isShort(text, max) ? [] : [`${text?.slice(0, 50)} over ${max}`]));
  return isTime(item.reportedAt) ? problems : [...problems, 'reportedAt'];
}

/** The faults of a result. A right result has none, whatever was read. */
function faultsOf(body: unknown, { reports, phoneNumberIds }: ReadMetaCall): string[] {
  const faults = reports.flatMap((report: any) => {
    if ('item' in report === 'errors' in report) return ['neither or both of item and errors'];
    if ('item' in report) {
      if (report.item.kind === 'templateStatus') return problemsOfTemplate(report.item);
      return report.item.kind === 'ignored'
        ? [report.item.reason].filter((reason) => !isStorable(reason))
        : problemsOf(report.item);
    }
    const paths: string[] = report.errors.map(({ path }: { path: string }) => path);
    const lost = paths.filter((path) => at(body, path.split('.').slice(0, -1).join('.')) == null);
    return paths.length === 0 ? ['no errors'] : lost.map((path) => `${path} leads nowhere`);
  });
  if (reports.length === 0) faults.push('no reports');
  if (new Set(phoneNumberIds).size !== phoneNumberIds.length) faults.push('a phone number id twice');
  return faults;
}

/** @param times the number of damaged calls of each recorded one */
export function describeDamagedMetaCalls(times = 200): void {
  test.each(files)(`${times} times %s: read, or refused by name`, (name) => {
    const random = randomFrom(files.indexOf(name) + 1);
    const whole = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    for (let round = 0; round < times; round += 1) {
      const body = structuredClone(whole);
      for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) damage(body, random);
      const faults = faultsOf(body, readMeta(body));
      if (faults.length > 0) throw new Error(`round ${round}: ${faults.join('; ')} in ${JSON.stringify(body)}`);
    }
  });
}
