// Composes the text of a part in which nobody wrote words: a place, cards, a poll.

import { isPlainObject } from '../../platform/input/input.js';
import { objectAt, readLabel } from './written-value.js';

const maxPartLength = 1_000;

// `item1.TEL;type=CELL;waid=…:+55 11 …`
const cardNumber = /^(?:[\w-]+\.)?TEL[^:\r\n]*:([^\r\n]+)/gim;
const cardName = /^FN[^:\r\n]*:([^\r\n]+)/im;

/** Composes `latitude,longitude`, then the place's name, its address and the words about it, each on its own line. */
export function placeText(value: unknown): string | undefined {
  const place = objectAt(value);
  const [latitude, longitude] = [readDegrees(place.degreesLatitude), readDegrees(place.degreesLongitude)];
  const point = latitude === undefined || longitude === undefined ? undefined : `${latitude},${longitude}`;
  const details = [place.name, place.address, place.caption, place.comment].map(readPart);
  return joinLines([point, ...details]);
}

/** Composes `Ana Souza: +55 11 …, +55 21 …`, one line for each card. */
export function cardsText(cards: unknown): string | undefined {
  return Array.isArray(cards) ? joinLines(cards.map(cardText)) : undefined;
}

/** Composes the question, then its options. */
export function pollText(value: unknown): string | undefined {
  const poll = objectAt(value);
  const options = Array.isArray(poll.options) ? poll.options : [];
  const names = options.map((option) => readPart(isPlainObject(option) ? option.optionName : undefined));
  return joinLines([readPart(poll.name), ...names.map((name) => (name === undefined ? undefined : `- ${name}`))]);
}

function cardText(value: unknown): string | undefined {
  const card = objectAt(value);
  const vcard = typeof card.vcard === 'string' ? card.vcard : '';
  const name = readPart(card.displayName) ?? readPart(cardName.exec(vcard)?.[1]);
  const numbers = [...vcard.matchAll(cardNumber)]
    .map((match) => readPart(match[1]))
    .filter((part) => part !== undefined);
  if (numbers.length === 0) return name;
  return name === undefined ? numbers.join(', ') : `${name}: ${numbers.join(', ')}`;
}

function readDegrees(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function readPart(value: unknown): string | undefined {
  return readLabel(value, maxPartLength);
}

function joinLines(lines: readonly (string | undefined)[]): string | undefined {
  const text = lines.filter((line) => line !== undefined).join('\n');
  return text === '' ? undefined : text;
}
