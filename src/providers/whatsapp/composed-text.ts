// Composes the text of a part in which nobody wrote words: a place, cards, a poll, an order, a product, an event.

import { isPlainObject } from '../../platform/input/input.js';
import { objectAt, readLabel, readNumber, readTime } from './written-value.js';

const maxPartLength = 1_000;

// `item1.TEL;type=CELL;waid=…:+55 11 …`, and `EMAIL;type=INTERNET:ana@…`
const cardAddress = /^(?:[\w-]+\.)?(?:TEL|EMAIL)[^:\r\n]*:([^\r\n]+)/gim;
const cardName = /^FN[^:\r\n]*:([^\r\n]+)/im;

/** Composes `latitude,longitude`, then the place's name, its address and the words about it, each on its own line. */
export function placeText(value: unknown): string | undefined {
  const place = objectAt(value);
  const [latitude, longitude] = [readDegrees(place.degreesLatitude), readDegrees(place.degreesLongitude)];
  const point = latitude === undefined || longitude === undefined ? undefined : `${latitude},${longitude}`;
  const details = [place.name, place.address, place.caption, place.comment].map(readPart);
  return joinLines([point, ...details]);
}

/** Composes `Ana Souza: +55 11 …, ana@…`, one line for each card. */
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

/** Composes what the customer wrote, the title of the order, and its sum. */
export function orderText(value: unknown): string | undefined {
  const order = objectAt(value);
  const sum = priceText(order.totalAmount1000, order.totalCurrencyCode);
  return joinLines([readPart(order.message), readPart(order.orderTitle), sum]);
}

/** Composes what the customer wrote, the name of the product, its price, and its page. */
export function productText(value: unknown): string | undefined {
  const { body, product } = objectAt(value);
  const { title, url, priceAmount1000, currencyCode } = objectAt(product);
  return joinLines([readPart(body), readPart(title), priceText(priceAmount1000, currencyCode), readPart(url)]);
}

/** Composes the name of an event, its time in UTC, its place, the words about it, and the address to join. */
export function eventText(value: unknown): string | undefined {
  const event = objectAt(value);
  const time = readTime(event.startTime)
    ?.toISOString()
    .replace('T', ' ')
    .replace(/:\d\d\.\d{3}Z$/, ' UTC');
  const place = placeText(event.location);
  return joinLines([readPart(event.name), time, place, readPart(event.description), readPart(event.joinLink)]);
}

// The network counts prices in thousandths of the currency's unit.
function priceText(thousandths: unknown, currency: unknown): string | undefined {
  const amount = readNumber(thousandths);
  const code = readPart(currency);
  return amount === undefined || code === undefined ? undefined : `${code} ${(amount / 1_000).toFixed(2)}`;
}

function cardText(value: unknown): string | undefined {
  const card = objectAt(value);
  const vcard = typeof card.vcard === 'string' ? card.vcard : '';
  const name = readPart(card.displayName) ?? readPart(cardName.exec(vcard)?.[1]);
  const addresses = [...vcard.matchAll(cardAddress)]
    .map((match) => readPart(match[1]))
    .filter((part) => part !== undefined);
  if (addresses.length === 0) return name;
  return name === undefined ? addresses.join(', ') : `${name}: ${addresses.join(', ')}`;
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
