// The stored form of a lead's choice. PostgreSQL sorts the names in jsonb, so the answers of a form are kept as text, in the form's order.

import type { Prisma } from '../../platform/database/database.js';
import type { ReportedChoice } from '../../providers/reported.js';

/** A choice as the API, the exports and deliveries show it. */
export interface ShownChoice extends Omit<ReportedChoice, 'answers'> {
  answers?: unknown;
}

/** Returns the choice as JSON, in the form that is stored. */
export function toStoredChoice({ answers, ...choice }: ReportedChoice): string {
  return JSON.stringify({ ...choice, answersText: answers === undefined ? undefined : JSON.stringify(answers) });
}

/** Reads the choice of a row. */
export function readStoredChoice(stored: Prisma.JsonValue): ShownChoice | null {
  if (stored == null) return null;
  const { answersText, ...choice } = stored as unknown as ShownChoice & { answersText?: string };
  return answersText === undefined ? choice : { ...choice, answers: JSON.parse(answersText) as unknown };
}
