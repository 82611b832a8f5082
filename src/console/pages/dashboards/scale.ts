// Where things stand in a chart: ticks that people read easily, bands, lines, and which labels have room.

import type { Unit } from './metric-rules.js';

const durationSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
];
const mostTicks = 4;

/** From 0 to at least `max`, in even steps: at most five, of which the last is the top of the chart. */
export function ticksOf(max: number, unit: Unit): number[] {
  const top = Number.isFinite(max) && max > 0 ? max : 1;
  const step = stepOf(top / mostTicks, unit);
  const count = Math.max(1, Math.ceil(top / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

function stepOf(least: number, unit: Unit): number {
  if (unit === 'SECONDS') {
    const known = durationSteps.find((step) => step >= least);
    return known ?? 604_800 * roundStep(least / 604_800);
  }
  return unit === 'COUNT' ? Math.max(1, roundStep(least)) : roundStep(least);
}

// 1, 2, 2.5 or 5, times a power of ten; 2.5 only where it is a whole number or a share.
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factors = power >= 10 || power < 1 ? [1, 2, 2.5, 5, 10] : [1, 2, 5, 10];
  const factor = factors.find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return Number((factor * power).toPrecision(12));
}

export interface Band {
  x: number;
  width: number;
}

/** Even bands side by side over a width, with a gap between them where there is room. */
export function bandsOf(count: number, width: number): Band[] {
  const each = width / Math.max(1, count);
  const gap = each > 4 ? Math.min(12, each * 0.25) : 0;
  return Array.from({ length: count }, (_, index) => ({ x: index * each + gap / 2, width: Math.max(0.5, each - gap) }));
}

/** The height of a value from the bottom. */
export const heightOf = (value: number | null, top: number, height: number): number =>
  value === null || top <= 0 ? 0 : Math.max(0, Math.min(1, value / top)) * height;

export interface Place {
  x: number;
  /** Null where there is no value: the line breaks there. */
  y: number | null;
}

/** The path of a line. A place alone between two gaps is no line: it is drawn as a point. */
export function lineOf(places: readonly Place[]): string {
  let path = '';
  let isOpen = false;
  for (const [index, { x, y }] of places.entries()) {
    if (y === null) {
      isOpen = false;
      continue;
    }
    const isAlone = !isOpen && (places[index + 1]?.y ?? null) === null;
    if (!isAlone) path += `${isOpen ? 'L' : 'M'}${rounded(x)} ${rounded(y)}`;
    isOpen = true;
  }
  return path;
}

const rounded = (value: number) => Math.round(value * 10) / 10;

/** Each how many-th label is written, so that none touches the next. */
export function labelStride(count: number, width: number, labelWidth: number): number {
  const room = Math.max(1, Math.floor(width / labelWidth));
  return Math.max(1, Math.ceil(count / room));
}

/** A text that fits, with an ellipsis where it had to be cut. */
export function shortenTo(text: string, width: number, characterWidth = 7): string {
  const room = Math.max(1, Math.floor(width / characterWidth));
  const characters = Array.from(text);
  return characters.length <= room ? text : `${characters.slice(0, Math.max(1, room - 1)).join('')}…`;
}

/** Where an arrow key goes among marks in rows of `columns`; undefined for other keys. In one row or column both axes work. */
export function stepTo(key: string, index: number, count: number, columns = 1): number | undefined {
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    Home: -index,
    End: count - 1 - index,
  };
  const step = steps[key];
  if (step === undefined) return undefined;
  const next = index + step;
  return next < 0 || next >= count ? index : next;
}
