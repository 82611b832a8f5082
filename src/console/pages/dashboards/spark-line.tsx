// The course of a figure as a small line below it, with a text for people who do not see it. It has no marks: the figure opens the rows.

import { useTexts } from '../../i18n/language.js';
import styles from './dashboards.module.css';
import { dashboardTexts } from './texts.js';
import type { Unit } from './metric-rules.js';
import type { Course } from './marks.js';
import { lineOf, sparkPlaces } from './scale.js';
import type { ValueFormats } from './value-formats.js';

const width = 160;
const height = 32;
/** The line keeps so much from the edges that its round ends are not cut. */
const edge = 2;

interface SparkLineProps {
  course: Course;
  unit: Unit;
  formats: ValueFormats;
}

/** Shows nothing where a line would have fewer than two points. */
export function SparkLine({ course, unit, formats }: SparkLineProps) {
  const texts = useTexts(dashboardTexts);
  const known = course.values.flatMap((value) => value ?? []);
  const path = lineOf(sparkPlaces(course.values, { width, height, edge }));
  if (path === '') return null;
  const [least, most] = [Math.min(...known), Math.max(...known)].map((value) => formats.value(value, unit));
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={texts.course(least ?? '', most ?? '')}
    >
      <path d={path} />
    </svg>
  );
}
