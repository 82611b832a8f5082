// The course of a figure as a small line beside it, with a text for people who do not see it. It has no marks: the figure opens the rows.

import { useTexts } from '../../i18n/language.js';
import styles from './dashboards.module.css';
import { dashboardTexts } from './texts.js';
import type { Unit } from './metric-rules.js';
import type { Course } from './marks.js';
import { lineOf, sparkPlaces } from './scale.js';
import type { ValueFormats } from './value-formats.js';

const width = 92;
const height = 32;
/** The line keeps so much from the edges that its last point is not cut. */
const edge = 4;

interface SparkLineProps {
  course: Course;
  unit: Unit;
  formats: ValueFormats;
}

/** Shows nothing where a line would have fewer than two points. */
export function SparkLine({ course, unit, formats }: SparkLineProps) {
  const texts = useTexts(dashboardTexts);
  const known = course.values.flatMap((value) => value ?? []);
  const places = sparkPlaces(course.values, { width, height, edge });
  const path = lineOf(places);
  if (path === '') return null;
  const [least, most] = [Math.min(...known), Math.max(...known)].map((value) => formats.value(value, unit));
  const last = places.findLast(({ y }) => y !== null);
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMaxYMid slice"
      role="img"
      aria-label={texts.course(least ?? '', most ?? '')}
    >
      <path className={styles.sparkArea} d={areaBelow(path)} />
      <path className={styles.sparkLine} d={path} />
      {last !== undefined && <circle cx={last.x} cy={last.y ?? 0} r={3.5} />}
    </svg>
  );
}

// Each piece of the line is closed at the foot, so that a gap stays empty.
function areaBelow(path: string): string {
  const xOf = (point: string | undefined) => point?.split(' ')[0] ?? '0';
  const pieces = path.split('M').filter((piece) => piece !== '');
  return pieces
    .map((piece) => {
      const points = piece.split('L');
      return `M${piece}L${xOf(points.at(-1))} ${height}L${xOf(points[0])} ${height}Z`;
    })
    .join('');
}
