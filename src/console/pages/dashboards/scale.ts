// The geometry of a chart: readable ticks, bands and lines, and the choice of labels that fit.

import type { Unit } from './metric-rules.js';

const durationSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
];
const mostTicks = 4;

/** Returns ticks in even steps from 0 to at least `max`. There are at most five steps, and the last tick is the top. */
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

// Rounds to 1, 2, 2.5 or 5 times a power of ten. 2.5 is used only if the step is a whole number or below 1.
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

/** Divides a width into even bands, with gaps if there is room. */
export function bandsOf(count: number, width: number): Band[] {
  const each = width / Math.max(1, count);
  const gap = each > 4 ? Math.min(12, each * 0.25) : 0;
  return Array.from({ length: count }, (_, index) => ({ x: index * each + gap / 2, width: Math.max(0.5, each - gap) }));
}

/** Returns the height of a value, measured from the bottom. */
export const heightOf = (value: number | null, top: number, height: number): number =>
  value === null || top <= 0 ? 0 : Math.max(0, Math.min(1, value / top)) * height;

export const shades = 5;

/** Returns the shade of a value: 0 for none, else 1 to `shades`. */
export const shadeOf = (value: number | null, top: number): number =>
  value === null || top <= 0 ? 0 : Math.min(shades, Math.ceil((value / top) * shades));

export interface Place {
  x: number;
  /** Null marks a missing value, where the line breaks. */
  y: number | null;
}

/** Returns the path of a line. A single place between two gaps is drawn as a point. */
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

interface SparkSize {
  width: number;
  height: number;
  /** The line keeps so much from the edges that its round ends are not cut. */
  edge: number;
}

/** Returns the places of a figure's course. Its scale begins at 0, so that a small change does not look like a large one. */
export function sparkPlaces(values: readonly (number | null)[], { width, height, edge }: SparkSize): Place[] {
  const known = values.flatMap((value) => value ?? []);
  const [least, most] = [Math.min(0, ...known), Math.max(0, ...known)];
  const across = (width - 2 * edge) / Math.max(1, values.length - 1);
  const down = (height - 2 * edge) / (most - least || 1);
  return values.map((value, index) => ({
    x: edge + index * across,
    y: value === null ? null : height - edge - (value - least) * down,
  }));
}

const rounded = (value: number) => Math.round(value * 10) / 10;

/** Returns n if every n-th label is written, so that no label touches the next. */
export function labelStride(count: number, width: number, labelWidth: number): number {
  const room = Math.max(1, Math.floor(width / labelWidth));
  return Math.max(1, Math.ceil(count / room));
}

/**
 * Returns the target index of an arrow key among marks in rows of `columns`; undefined for other keys. In one row or column both axes work.
 */
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
